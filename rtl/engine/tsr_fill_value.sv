// Sends the fill value ahead of the transfers that need it.
//
// The data side keeps the last value. It is sent when a bounded transfer begins whose value differs, or
// that is joined to the one before: that begins in the middle of a beat, and the value with it.
//
// Contract: `wait_o` keeps such a transfer from beginning until its value has been accepted behind all
// that came before (`quiet_i`: none of that is left in the planner). `kill_i` forgets the value.
// Latency: 1 cycle, when it has to be sent.
module tsr_fill_value (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        kill_i,
  input  logic [63:0] fill_i,
  input  logic        bounded_i,
  input  logic        joins_i,    // it joins the one after it
  input  logic        begins_i,   // it is there and has not begun
  input  logic        taken_i,    // it has been taken
  input  logic        quiet_i,
  output logic        wait_o,
  output logic        valid_o,
  output logic [63:0] value_o,
  input  logic        ready_i
);

  logic known_q, joined_q, sent_q, needs;
  logic [63:0] value_q;

  assign needs   = bounded_i && !sent_q && (joined_q || !known_q || fill_i != value_q);
  assign wait_o  = begins_i && needs;
  assign valid_o = begins_i && needs && quiet_i;
  assign value_o = fill_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || kill_i) begin
      known_q  <= 1'b0;
      joined_q <= 1'b0;
      sent_q   <= 1'b0;
    end else if (taken_i) begin
      joined_q <= joins_i;
      sent_q   <= 1'b0;
    end else if (valid_o && ready_i) begin
      known_q <= 1'b1;
      sent_q  <= 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (valid_o && ready_i) value_q <= fill_i;
  end

endmodule
