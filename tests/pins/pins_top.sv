// Ports of every kind that tb/sim/pins.h shows: fields of structs go to and come from plain vectors, so that a test
// sees where the C++ puts them.
module pins_top
  import tsr_descriptor_pkg::*;
  import tsr_pkg::*;
  import tsr_fabric_pkg::*;
#(
  parameter int unsigned Ports = 3,
  parameter int unsigned AddrWidth = 40,
  parameter int unsigned DataWidth = 256,
  localparam type address_t = struct packed {  // verilog_lint: waive typedef-structs-unions
    logic [3:0]           id;
    logic [AddrWidth-1:0] addr;
    axi_attr_t            attr;
  },
  localparam type data_t = struct packed {  // verilog_lint: waive typedef-structs-unions
    logic [DataWidth-1:0]   data;
    logic [DataWidth/8-1:0] strb;
    logic                   last;
  },
  localparam type request_t = struct packed {  // verilog_lint: waive typedef-structs-unions
    address_t        ar;
    logic            ar_valid;
    data_t           w;
    fault_e          cause;
    logic [1:0][2:0] turns;
  }
) (
  // An array of structs whose widths depend on parameters, both ways.
  input request_t [Ports-1:0] request_i,
  output request_t [Ports-1:0] request_o,
  output logic [Ports-1:0][3:0] id_o,
  output logic [Ports-1:0][AddrWidth-1:0] addr_o,
  output logic [Ports-1:0][3:0] cache_o,
  output logic [Ports-1:0] valid_o,
  output logic [Ports-1:0][DataWidth-1:0] data_o,
  output logic [Ports-1:0][DataWidth/8-1:0] strb_o,
  output logic [Ports-1:0][3:0] cause_o,
  output logic [Ports-1:0][2:0] turn1_o,
  // Structs of packages.
  input transfer_t transfer_i,
  output transfer_t transfer_o,
  output logic [63:0] base_o,
  output logic [63:0] stride2_o,
  output logic [31:0] count3_o,
  output logic [63:0] ahead1_o,
  output logic [31:0] step1_o,
  output logic [1:0] walk3_dim_o,
  output logic [1:0] last_rule_o,
  output logic finish_o,
  output logic [3:0] pair_o,
  output done_t done_o,
  output channel_state_t state_o,
  input fault_e fault_i,
  output logic [3:0] fault_o,
  // An array that counts up, and one bit each way.
  input axi_attr_t [0:1] up_i,  // verilog_lint: waive packed-dimensions-range-ordering
  output logic [3:0] up0_qos_o,
  output logic [2:0] up1_prot_o
);

  always_comb begin
    for (int unsigned p = 0; p < Ports; p++) begin
      id_o[p]    = request_i[p].ar.id;
      addr_o[p]  = request_i[p].ar.addr;
      cache_o[p] = request_i[p].ar.attr.cache;
      valid_o[p] = request_i[p].ar_valid;
      data_o[p]  = request_i[p].w.data;
      strb_o[p]  = request_i[p].w.strb;
      cause_o[p] = request_i[p].cause;
      turn1_o[p] = request_i[p].turns[1];
      request_o[p] = request_i[Ports-1-p];
    end
  end

  assign transfer_o = transfer_i;
  assign base_o = transfer_i.addr;
  assign stride2_o = transfer_i.dim[2].stride;
  assign count3_o = transfer_i.dim[3].count;
  assign ahead1_o = 64'(transfer_i.dim[1].ahead);
  assign step1_o = transfer_i.walk[1].step;
  assign walk3_dim_o = transfer_i.walk[3].dim;
  assign last_rule_o = transfer_i.last_rule;
  assign finish_o = transfer_i.finish;
  assign pair_o = transfer_i.pair;

  assign done_o = '{
          addr: 64'h1234_5678_9abc_def0,
          bytes: 48'h1234_5678_9abc,
          dropped: 48'h7,
          last: 1'b1,
          status: '{illegal: 1'b1, decerr: 1'b1, default: 1'b0}
      };
  assign state_o = '{
          stuck: 1'b1,
          cause: FaultStreamTime,
          transfer: 16'hbeef,
          addr: 64'hfeed,
          default: '0
      };
  assign fault_o = fault_i;

  assign up0_qos_o = up_i[0].qos;
  assign up1_prot_o = up_i[1].prot;

endmodule
