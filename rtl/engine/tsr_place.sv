// Places a row in the bounds of dimension 0: how many of its bytes come before, inside and after them.
//
// The row covers the indices 0 .. size_i-1, of which those above ahead_i up to last_i are inside; last_i is
// not less than ahead_i. lead + data + tail = size, unless `outside_o`: then none is inside.
//
// Contract: a row is placed with `load_i`; what is known of it stays until the next is. `early_lead_o` has
// the low bits of what the lead will be in the cycle before.
// Latency: 1 cycle. Throughput: a row a cycle.
`include "tsr_assert.svh"
module tsr_place
  import tsr_pkg::*;
#(
  parameter int unsigned Width      = 32,   // of a row's size
  parameter int unsigned GroupBytes = 8,
  parameter int unsigned LowWidth   = 3,    // of early_lead_o
  parameter bit          Bounds     = 1'b1  // 0: everything is inside
) (
  input  logic                         clk_i,
  input  logic                         load_i,
  input  logic        [     Width-1:0] size_i,
  input  logic signed [IndexWidth-1:0] ahead_i,
  input  logic signed [IndexWidth-1:0] last_i,
  input  logic                         unbounded_i,
  output logic        [  LowWidth-1:0] early_lead_o,
  output logic        [     Width-1:0] lead_o,
  output logic        [     Width-1:0] data_o,
  output logic        [     Width-1:0] tail_o,
  output logic                         has_lead_o,    // a group and more; meaningless if outside
  output logic                         has_tail_o,
  output logic                         has_fill_o,    // a lead or a tail; meaningless if outside
  output logic                         outside_o
);

  `TSR_STATIC_ASSERT(Width, Width < IndexWidth,
                     ("Width = %0d; legal is 1 to %0d", Width, IndexWidth - 1))

  if (Bounds) begin : gen_bounds
    typedef logic signed [IndexWidth-1:0] index_t;
    typedef logic [Width-1:0] row_t;
    localparam int unsigned Sign = IndexWidth - 1;
    localparam row_t InGroup = row_t'(GroupBytes - 1);
    localparam row_t Whole = ~InGroup;
    localparam int unsigned Parts = 2;  // of a tail, each of which may be 0
    localparam int unsigned PartWidth = (Width + Parts - 1) / Parts;

    // All sums side by side; their signs tell which of them are the answers.
    index_t size, enter, leave, behind, from_enter, between;
    row_t ahead, tail, whole_tail;
    logic
        nothing,
        late,
        early;  // none is inside; it begins before the bounds do, goes on behind them
    logic unused_high;

    assign size = index_t'({1'b0, size_i});
    assign enter = ahead_i + 1'b1;
    assign leave = last_i + 1'b1;
    assign behind = size + ~last_i;  // size - leave
    assign from_enter = size + ~ahead_i;  // size - enter
    assign between = last_i - ahead_i;
    assign late = !unbounded_i && !ahead_i[Sign];
    assign early = !unbounded_i && !behind[Sign];
    assign ahead = ahead_i[Width-1:0];
    assign tail = behind[Width-1:0];
    assign whole_tail = tail & Whole;
    // Signs and equalities: nothing waits for a difference to be compared with 0. A size is below 2**32, and
    // `behind` counts only with last_i >= 0, `from_enter` and `between` only with ahead_i >= 0: none of them
    // overflows then, whatever ahead_i and last_i are. `enter` and `leave` count as sizes, mod 2**Width.
    assign nothing = last_i[Sign] || (!ahead_i[Sign] && from_enter[Sign]) || enter == size ||
                     ahead_i == last_i;
    assign unused_high = ^{from_enter[Sign-1:Width], between[Sign:Width], behind[Sign-1:Width],
                           enter[Sign:Width], leave[Sign:Width]};

    logic late_q, early_q, whole_lead_q, odd_tail_q;
    logic [Parts-1:0] whole_tail_q;  // whether it has bits in each of its parts

    assign early_lead_o = late ? enter[LowWidth-1:0] : '0;
    always_ff @(posedge clk_i) begin
      if (load_i) begin
        lead_o <= late ? enter[Width-1:0] : '0;
        tail_o <= early ? tail : '0;
        unique case ({
          late, early
        })
          2'b00:   data_o <= size_i;
          2'b01:   data_o <= leave[Width-1:0];
          2'b10:   data_o <= from_enter[Width-1:0];
          2'b11:   data_o <= between[Width-1:0];
          default: data_o <= size_i;
        endcase
        outside_o    <= !unbounded_i && nothing;
        late_q       <= late;
        early_q      <= early;
        whole_lead_q <= (ahead & Whole) != '0 || (ahead & InGroup) == InGroup;
        odd_tail_q   <= (tail & InGroup) != '0;
        for (int unsigned k = 0; k < Parts; k++) begin
          whole_tail_q[k] <= (whole_tail >> (k * PartWidth)) % (row_t'(1) << PartWidth) != '0;
        end
      end
    end
    assign has_lead_o = late_q && whole_lead_q;
    assign has_tail_o = early_q && (|whole_tail_q);
    assign has_fill_o = late_q || (early_q && (odd_tail_q || (|whole_tail_q)));
  end else begin : gen_none
    logic unused_ok;
    always_ff @(posedge clk_i) begin
      if (load_i) data_o <= size_i;
    end
    assign early_lead_o = '0;
    assign lead_o       = '0;
    assign tail_o       = '0;
    assign has_lead_o   = 1'b0;
    assign has_tail_o   = 1'b0;
    assign has_fill_o   = 1'b0;
    assign outside_o    = 1'b0;
    assign unused_ok    = ^{ahead_i, last_i, unbounded_i};
  end

endmodule
