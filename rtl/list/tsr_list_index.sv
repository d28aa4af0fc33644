// Number of the next descriptor to fetch and of the next completion entry of each channel.
//
// Contract. `number_o` belongs to the visit in its second step. `index` is the number that its address is
// made of: of the next descriptor or entry, of the place, of the entry that was lost, or, of VisitOpen,
// the length of the list. `turns`: how often the array was fetched to its end, modulo 4; of entries
// bit 0 is 1 in the second round, fourth .. `behind`: the number behind it, of a list that opens where
// it begins, else 0. `next_i` keeps it as that of the next descriptor or entry; `open_i` as that of the
// next descriptor; `zero_i` sets that of the next entry to 0.
// Latency: 1 cycle. Throughput: a visit in 2 cycles.
`include "tsr_assert.svh"
module tsr_list_index
  import tsr_list_unit_pkg::*;
#(
  parameter  int unsigned Channels = 2,                                   // 1..32
  localparam int unsigned Index    = Channels > 1 ? $clog2(Channels) : 1
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  list_step_t          step_i,
  input  logic         [15:0] place_index_i,
  input  logic         [15:0] count_i,        // of the look
  output list_number_t        number_o,       // of the visit
  input  list_setup_t         setup_i,        // of the visit
  input  logic                next_i,
  input  logic                open_i,
  input  logic         [15:0] head_i,         // where it opens
  input  logic                zero_i
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
  logic enough, at_end;
  assign visit = index_t'(step_i.visit.channel);
  assign of_entry = step_i.look.kind == VisitEntry;
  assign visit_entry = step_i.visit.kind == VisitEntry;
  assign stored = index_q[{of_entry, index_t'(step_i.look.channel)}];
  always_ff @(posedge clk_i) begin
    if (!step_i.hold) begin
      unique case (step_i.look.kind)
        VisitRefused, VisitExtension: index_now_q <= place_index_i;
        VisitLost: index_now_q <= step_i.look.number;
        VisitOpen: index_now_q <= count_i;
        default: index_now_q <= stored[15:0];
      endcase
      turns_q     <= stored[17:16];
      since_now_q <= since_q[index_t'(step_i.look.channel)];
    end
  end

  assign next   = index_now_q + 16'd1;
  assign at_end = next == setup_i.count;
  assign since  = since_now_q + 8'd1;
  assign enough = since >= setup_i.per;  // always without a number
  // What is written is known by the kind of the visit.
  logic put_entry;
  logic [17:0] put;
  always_comb begin
    put_entry = 1'b0;
    put       = {turns_q + 2'(at_end), at_end ? 16'd0 : next};
    unique case (step_i.visit.kind)
      VisitBase, VisitRefused: put_entry = 1'b0;
      VisitEntry: put_entry = 1'b1;
      VisitOpen: put = {2'd0, head_i};
      default: begin
        put_entry = 1'b1;
        put       = '0;
      end
    endcase
  end
  assign number_o = '{
          index: index_now_q,
          behind: put[15:0],
          turns: turns_q,
          at_end: at_end,
          interrupts: enough && setup_i.per != '0
      };
  always_ff @(posedge clk_i) begin
    if (next_i || open_i || zero_i) index_q[{put_entry, visit}] <= put;
    if (zero_i || (next_i && visit_entry)) since_q[visit] <= !visit_entry || enough ? '0 : since;
  end

  logic unused_in;
  assign unused_in = ^{step_i, setup_i};

  `TSR_ASSERT(OneWrite, $onehot0({next_i, open_i, zero_i}))

endmodule
