// Finds the next piece of a set of lanes: the run from lane 0 on, else the lowest lane alone.
//
// Contract: combinational; logarithmic depth. `lanes_i` = 0 gives no piece.
// Latency: 0 cycles.
`include "tsr_assert.svh"
module tsr_first_run #(
  parameter int unsigned Lanes = 8,
  parameter int unsigned Width = 4   // of the numbers, more than log2 of Lanes
) (
  input  logic [Lanes-1:0] lanes_i,
  output logic [Lanes-1:0] piece_o,
  output logic [Width-1:0] first_o,  // its lowest lane
  output logic [Width-1:0] size_o    // its lanes
);

  `TSR_STATIC_ASSERT(Width, 2 ** Width > Lanes,
                     ("Width = %0d; legal is what holds %0d, the number of lanes", Width, Lanes))

  // In groups of lanes, then among the groups.
  localparam int unsigned Group = Lanes < 8 ? Lanes : 8;
  localparam int unsigned Groups = (Lanes + Group - 1) / Group;

  logic [Groups-1:0][Group-1:0] lanes;
  logic [Groups-1:0] any, full, first_any, upto_full;  // upto: all groups below are
  logic [Groups-1:0][Group-1:0] group_lowest, group_run;
  logic [Groups-1:0][Width-1:0] group_first, group_end;  // its lowest lane, the first one without
  logic [Lanes-1:0] run, lowest;

  assign lanes = (Groups * Group)'(lanes_i);
  for (genvar j = 0; j < Groups; j++) begin : gen_group
    assign any[j]  = lanes[j] != '0;
    assign full[j] = &lanes[j];
    if (j == 0) begin : gen_first
      assign first_any[j] = any[j];
      assign upto_full[j] = 1'b1;
    end else begin : gen_other
      assign first_any[j] = any[j] && any[j-1:0] == '0;
      assign upto_full[j] = &full[j-1:0];
    end
    always_comb begin
      group_first[j] = '0;
      group_end[j]   = '0;
      for (int unsigned i = 0; i < Group; i++) begin
        group_lowest[j][i] = lanes[j][i] && (lanes[j] & Group'((1 << i) - 1)) == '0;
        group_run[j][i]    = (~lanes[j] & Group'((2 << i) - 1)) == '0;
        if (group_lowest[j][i]) group_first[j] |= Width'(j * Group + i);
        if (!lanes[j][i] && (~lanes[j] & Group'((1 << i) - 1)) == '0) begin
          group_end[j] |= Width'(j * Group + i);
        end
      end
    end
  end

  always_comb begin
    for (int unsigned i = 0; i < Lanes; i++) begin
      lowest[i] = first_any[i/Group] && group_lowest[i/Group][i%Group];
      run[i]    = upto_full[i/Group] && group_run[i/Group][i%Group];
    end
  end

  always_comb begin
    first_o = '0;
    size_o  = lanes_i[0] ? (&lanes_i ? Width'(Lanes) : '0) : Width'(lanes_i != '0);
    for (int unsigned j = 0; j < Groups; j++) begin
      if (first_any[j]) first_o |= group_first[j];
      if (lanes_i[0] && upto_full[j] && !full[j]) size_o |= group_end[j];
    end
  end
  assign piece_o = lanes_i[0] ? run : lowest;

endmodule
