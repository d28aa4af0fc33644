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

  logic [Lanes-1:0] run, upto, lowest, run_end;  // the lane after the run, none if that is all

  // run: every lane down to 0 is set; upto: some lane down to 0 is. Distances double from step to step.
  always_comb begin
    run  = lanes_i;
    upto = lanes_i;
    for (int unsigned k = 1; k < Lanes; k *= 2) begin
      run  = run & ((run << k) | Lanes'((1 << k) - 1));
      upto = upto | (upto << k);
    end
  end
  assign lowest  = upto & ~(upto << 1);
  assign run_end = ~run & (run << 1);

  always_comb begin
    first_o = '0;
    size_o  = lanes_i[0] ? (run[Lanes-1] ? Width'(Lanes) : '0) : Width'(lanes_i != '0);
    for (int unsigned i = 0; i < Lanes; i++) begin
      if (lowest[i]) first_o |= Width'(i);
      if (run_end[i]) size_o |= Width'(i);
    end
  end
  assign piece_o = lanes_i[0] ? run : lowest;

endmodule
