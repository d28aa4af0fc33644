// Turns lanes: lane i goes to lane i + by_i, modulo their number. Combinational, in levels of 4:1
// multiplexers.
`include "tsr_assert.svh"
module tsr_turn_lanes #(
  parameter  int unsigned LanesLog = 3,             // 1 .. 7
  localparam int unsigned Lanes    = 2 ** LanesLog
) (
  input  logic [   Lanes-1:0][7:0] lanes_i,
  input  logic [LanesLog-1:0]      by_i,
  output logic [   Lanes-1:0][7:0] lanes_o
);

  localparam int unsigned Levels = (LanesLog + 1) / 2;

  // From the highest bits down; an odd number of bits begins with a level of 2:1.
  for (genvar l = 0; l < Levels; l++) begin : gen_level
    localparam int unsigned Low = 2 * (Levels - 1 - l);
    localparam bit Two = LanesLog % 2 == 1 && l == 0;
    localparam int unsigned Unit = 2 ** Low;
    logic [Lanes-1:0][7:0] from, to;
    if (l == 0) begin : gen_first
      assign from = lanes_i;
    end else begin : gen_next
      assign from = gen_level[l-1].to;
    end
    for (genvar i = 0; i < Lanes; i++) begin : gen_lane
      if (Two) begin : gen_two
        assign to[i] = by_i[Low] ? from[(i+Lanes-Unit)%Lanes] : from[i];
      end else begin : gen_four
        always_comb begin
          unique case (by_i[Low+:2])
            2'd0: to[i] = from[i];
            2'd1: to[i] = from[(i+Lanes-Unit)%Lanes];
            2'd2: to[i] = from[(i+2*Lanes-2*Unit)%Lanes];
            default: to[i] = from[(i+3*Lanes-3*Unit)%Lanes];
          endcase
        end
      end
    end
  end
  assign lanes_o = gen_level[Levels-1].to;

  `TSR_STATIC_ASSERT(LanesLog, LanesLog >= 1 && LanesLog <= 7,
                     ("LanesLog = %0d; legal is 1 to 7", LanesLog))

endmodule
