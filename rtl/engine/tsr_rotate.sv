// Turns a group of bytes: out[i] = in[i - amount], indices modulo the number of bytes.
//
// Contract: combinational; Bytes is a power of two. Latency: 0 cycles.
module tsr_rotate #(
  parameter int unsigned Bytes       = 8,
  parameter int unsigned AmountWidth = 3,  // log2 of the amounts wanted, at most log2(Bytes)
  parameter int unsigned Unit        = 1   // bytes that one step of the amount turns by
) (
  input  logic [      Bytes-1:0][7:0] data_i,
  input  logic [AmountWidth-1:0]      amount_i,
  output logic [      Bytes-1:0][7:0] data_o
);

  logic [Bytes-1:0][7:0] prior;

  always_comb begin
    data_o = data_i;
    prior  = data_i;
    for (int unsigned b = 0; b < AmountWidth; b++) begin
      prior = data_o;
      for (int unsigned i = 0; i < Bytes; i++) begin
        if (amount_i[b]) data_o[i] = prior[(i+Bytes-((Unit<<b)%Bytes))%Bytes];
      end
    end
  end

endmodule
