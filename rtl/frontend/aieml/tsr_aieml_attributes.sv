// Lets a transfer go to its engine when the attributes of the bus are its own.
//
// Contract: stands in the handshake of transfers. Attributes of a channel are constant while it is not idle: a
// transfer with other ones than the last waits until the engine rests. Without Enable there are only wires, and
// the attributes are 0.
// Latency: 0 cycles: attributes change with the transfer, whose first address comes later. Throughput: a
// transfer a cycle.
`include "tsr_assert.svh"
module tsr_aieml_attributes
  import tsr_fabric_pkg::*;
  import tsr_aieml_pkg::*;
#(
  parameter bit Enable = 1'b1
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  aieml_side_t       side_i,
  input  logic              valid_i,
  output logic              ready_o,
  output logic              valid_o,
  input  logic              ready_i,
  input  logic              idle_i,
  output axi_attr_t         attr_o,
  output logic        [3:0] smid_o
);

  logic unused_side;
  assign unused_side = ^side_i;

  if (Enable) begin : gen_attributes
    typedef struct packed {
      logic [3:0] smid;
      axi_attr_t  attr;
    } attributes_t;
    attributes_t now_q, wanted;
    logic same, goes;

    assign wanted = '{
            smid: side_i.smid,
            attr: '{qos: side_i.qos, cache: side_i.cache, prot: {1'b0, !side_i.secure, 1'b0}}
        };
    assign same = wanted == now_q;
    assign goes = same || idle_i;
    assign valid_o = valid_i && goes;
    assign ready_o = ready_i && goes;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) now_q <= '0;
      else if (valid_i && !same && idle_i) now_q <= wanted;
    end
    assign {smid_o, attr_o} = now_q;
    `TSR_ASSERT_NEXT(Constant, !idle_i, $stable(now_q))
  end else begin : gen_wires
    logic unused_clock;
    assign unused_clock = ^{clk_i, rst_ni, idle_i};
    assign valid_o = valid_i;
    assign ready_o = ready_i;
    assign attr_o = '0;
    assign smid_o = '0;
  end

endmodule
