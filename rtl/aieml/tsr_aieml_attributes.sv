// Keeps the attributes of the bus that the descriptors of each channel ask for.
//
// Contract: those of a descriptor that is loaded come with `load_valid_i`, channel and slot; those of a channel change when
// the transfer of the slot is launched (`go_*`; slots follow each other). `changes_o`: they differ from those of the
// descriptor of the channel before it. Such a transfer must not be launched while another one of its channel runs: then a
// channel at work has constant attributes. Without Enable they are 0.
// Latency: 1 cycle from a launch. Throughput: a descriptor and a launch a cycle.
`include "tsr_assert.svh"
module tsr_aieml_attributes
  import tsr_fabric_pkg::*;
  import tsr_program_pkg::*;
  import tsr_aieml_pkg::*;
#(
  parameter bit          Enable   = 1'b1,
  parameter int unsigned Channels = 4      // 1..16
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  channel_t                        load_channel_i,
  input  logic        [         1:0]      load_slot_i,
  input  aieml_side_t                     load_i,
  input  logic                            load_valid_i,
  output logic                            changes_o,
  input  channel_t                        go_channel_i,
  input  logic                            go_valid_i,
  output axi_attr_t   [Channels-1:0]      attr_o,
  output logic        [Channels-1:0][3:0] smid_o
);

  logic unused_load;
  assign unused_load = ^{load_i, load_channel_i, go_channel_i};

  if (Enable) begin : gen_attributes
    localparam int unsigned Index = Channels > 1 ? $clog2(Channels) : 1;
    typedef struct packed {
      logic [3:0] smid;
      logic [3:0] qos;
      logic [3:0] cache;
      logic       secure;
    } attributes_t;
    (* ram_style = "distributed" *) logic [$bits(attributes_t)-1:0] slot_mem[4*2**Index];
    (* ram_style = "distributed" *) logic [$bits(attributes_t)-1:0] last_mem[2**Index];
    logic [Channels-1:0] known_q;
    logic [Channels-1:0][1:0] next_q;  // slot
    attributes_t [Channels-1:0] now_q;
    attributes_t loaded;
    logic [Index-1:0] load_at, go_at;
    assign load_at = Index'(load_channel_i);
    assign go_at = Index'(go_channel_i);
    assign loaded = '{
            smid: load_i.smid,
            qos: load_i.qos,
            cache: load_i.cache,
            secure: load_i.secure
        };
    assign changes_o = !known_q[load_at] || loaded != attributes_t'(last_mem[load_at]);
    always_ff @(posedge clk_i) begin
      if (load_valid_i) begin
        slot_mem[{load_at, load_slot_i}] <= loaded;
        last_mem[load_at]                <= loaded;
      end
      for (int unsigned c = 0; c < Channels; c++) begin
        if (!rst_ni) begin
          known_q[c] <= 1'b0;
          next_q[c]  <= '0;
          now_q[c]   <= '0;
        end else begin
          if (load_valid_i && 32'(load_channel_i) == c) known_q[c] <= 1'b1;
          if (go_valid_i && 32'(go_channel_i) == c) begin
            next_q[c] <= next_q[c] + 1'b1;
            now_q[c]  <= attributes_t'(slot_mem[{go_at, next_q[c]}]);
          end
        end
      end
    end
    for (genvar c = 0; c < Channels; c++) begin : gen_channel
      assign smid_o[c] = now_q[c].smid;
      assign attr_o[c] = '{
              qos: now_q[c].qos,
              cache: now_q[c].cache,
              prot: {1'b0, !now_q[c].secure, 1'b0}
          };
    end
  end else begin : gen_none
    logic unused_clock;
    assign unused_clock = ^{clk_i, rst_ni, load_slot_i, load_valid_i, go_valid_i};
    assign changes_o    = 1'b0;
    assign attr_o       = '0;
    assign smid_o       = '0;
  end

  `TSR_STATIC_ASSERT(Channels, Channels >= 1 && Channels <= 16,
                     ("Channels = %0d; legal is 1 to 16", Channels))

endmodule
