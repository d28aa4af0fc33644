// Number of the next descriptor to fetch and of the next completion entry of each channel.
//
// Contract. `look_i` is the visit that begins. In the next cycle `index_o` is the number that its
// address is made of: of the next descriptor or entry, of the place, of the entry that was lost,
// or, of VisitOpen, the length of the list. `turns_o`: how often the array was fetched to its end,
// modulo 4; of entries bit 0 is 1 in the second round, fourth .. `at_end_o`: number 0 follows.
// `next_i` keeps the number behind it; `open_i` sets that of the next descriptor. `zero_i` sets
// that of the next entry to 0. `interrupts_o`: enough entries since the last interrupt.
// Latency: 1 cycle. Throughput: a visit in 2 cycles.
`include "tsr_assert.svh"
module tsr_list_index
  import tsr_list_unit_pkg::*;
#(
  parameter  int unsigned Channels = 2,                                   // 1..32
  localparam int unsigned Index    = Channels > 1 ? $clog2(Channels) : 1
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  visit_t             look_i,
  input  logic               hold_i,         // the visit stays, and what is known of it
  input  logic        [15:0] place_index_i,
  input  logic        [15:0] count_i,        // of the look
  input  visit_t             visit_i,
  output logic        [15:0] index_o,
  output logic        [ 1:0] turns_o,
  output logic        [15:0] behind_o,       // what is kept, of VisitRefused the number behind it
  output logic               at_end_o,
  input  list_setup_t        setup_i,        // of the visit
  input  logic               next_i,
  input  logic               open_i,
  input  logic        [15:0] head_i,         // where it opens
  input  logic               zero_i,
  output logic               interrupts_o
);

  typedef logic [Index-1:0] index_t;

  (* ram_style = "distributed" *) logic [17:0] index_q[2**(Index+1)];  // of descriptors, of entries
  (* ram_style = "distributed" *) logic [7:0] since_q[2**Index];  // the last interrupt

  index_t visit;
  logic of_entry, visit_entry;
  logic [15:0] index_now_q, next;
  logic [17:0] stored;
  logic [ 1:0] turns_q;
  logic [7:0] since_now_q, since;
  logic enough;
  assign visit = index_t'(visit_i.channel);
  assign of_entry = look_i.kind == VisitEntry;
  assign visit_entry = visit_i.kind == VisitEntry;
  assign stored = index_q[{of_entry, index_t'(look_i.channel)}];
  always_ff @(posedge clk_i) begin
    if (!hold_i) begin
      unique case (look_i.kind)
        VisitRefused, VisitExtension: index_now_q <= place_index_i;
        VisitLost: index_now_q <= look_i.number;
        VisitOpen: index_now_q <= count_i;
        default: index_now_q <= stored[15:0];
      endcase
      turns_q     <= stored[17:16];
      since_now_q <= since_q[index_t'(look_i.channel)];
    end
  end
  assign index_o = index_now_q;
  assign turns_o = turns_q;

  assign next = index_now_q + 16'd1;
  assign at_end_o = next == setup_i.count;
  assign since = since_now_q + 8'd1;
  assign enough = since >= setup_i.per;  // always without a number
  assign interrupts_o = enough && setup_i.per != '0;
  // What is written is known by the kind of the visit.
  logic put_entry;
  logic [17:0] put;
  always_comb begin
    put_entry = 1'b0;
    put       = {turns_q + 2'(at_end_o), at_end_o ? 16'd0 : next};
    unique case (visit_i.kind)
      VisitBase, VisitRefused: put_entry = 1'b0;
      VisitEntry: put_entry = 1'b1;
      VisitOpen: put = {2'd0, head_i};
      default: begin
        put_entry = 1'b1;
        put       = '0;
      end
    endcase
  end
  assign behind_o = put[15:0];
  always_ff @(posedge clk_i) begin
    if (next_i || open_i || zero_i) index_q[{put_entry, visit}] <= put;
    if (zero_i || (next_i && visit_entry)) since_q[visit] <= !visit_entry || enough ? '0 : since;
  end

  logic unused_in;
  assign unused_in = ^{look_i, visit_i, setup_i};

  `TSR_ASSERT(OneWrite, $onehot0({next_i, open_i, zero_i}))

endmodule
