// Writes registers after reset: a start program, for kernels that run without software.
//
// Contract: word i of Program is an address (63:32) and what is written there (31:0), the first one in the lowest
// bits. After reset they are written in this order, each once, as a master of the register bus: `request_o` stays with
// its valid until ready. `busy_o` until the last one is done. `refused_o` stays from the first one that was
// refused; the others are written all the same.
// Latency: the first request comes with the end of the reset. Throughput: one write a cycle.
`include "tsr_assert.svh"
module tsr_start
  import tsr_register_pkg::*;
#(
  parameter int unsigned                 Writes  = 1,  // 1..4096
  parameter logic        [Writes*64-1:0] Program = '0
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  output bus_request_t request_o,
  output logic         busy_o,
  input  logic         ready_i,
  input  bus_answer_t  answer_i,
  output logic         refused_o
);

  localparam int unsigned CountBits = $clog2(Writes + 1);

  `TSR_STATIC_ASSERT(Writes, Writes >= 1 && Writes <= 4096,
                     ("StartProgram has %0d writes; legal is 1 to 4096", Writes))

  // The first entry whose address is not that of a register, or Writes.
  function automatic int unsigned astray();
    for (int unsigned i = 0; i < Writes; i++) begin
      if (Program[64*i+32+RegisterBits+:32-RegisterBits] != '0 || Program[64*i+32+:2] != '0)
        return i;
    end
    return Writes;
  endfunction
  localparam int unsigned Astray = astray();
  localparam logic [31:0] At = 32'(Program >> (64 * Astray + 32));
  localparam logic [31:0] Top = 32'd1 << RegisterBits;
  `TSR_STATIC_ASSERT(
      StartProgram, Astray == Writes,
      ("StartProgram = %0h at entry %0d; legal is a multiple of 4 below %0h", At, Astray, Top))

  logic [CountBits-1:0] next_q;
  logic [63:0] entry;

  assign busy_o = next_q != CountBits'(Writes);
  always_comb begin
    entry = '0;
    for (int unsigned i = 0; i < Writes; i++) begin
      if (next_q == CountBits'(i)) entry = Program[64*i+:64];
    end
  end
  assign request_o = '{
          write: 1'b1,
          word: entry[32+BusBits-1:34],
          data: entry[31:0],
          strobe: '1
      };

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      next_q    <= '0;
      refused_o <= 1'b0;
    end else if (busy_o && ready_i) begin
      next_q    <= next_q + 1'b1;
      refused_o <= refused_o || answer_i.error;
    end
  end

  logic unused_entry;
  assign unused_entry = ^{entry, answer_i};

  `TSR_STABLE(RequestStays, busy_o, ready_i, ({request_o.word, request_o.data}))

endmodule
