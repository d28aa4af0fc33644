// Places one row in its bounds: how many of its bytes come left_of, inside and after them.
//
// Contract: combinational. All values are bytes. The row covers coordinates coord_i .. coord_i+size_i-1
// of a dimension whose valid coordinates are 0 .. bound_i-1; lead + data + tail = size, and a row without
// data is all lead.
// Latency: 0 cycles.
module tsr_place #(
  parameter int unsigned Width  = 35,   // of a row's size
  parameter bit          Bounds = 1'b1  // 0: everything is inside
) (
  input  logic signed [  Width:0] coord_i,
  input  logic        [Width-1:0] size_i,
  input  logic        [Width-1:0] bound_i,
  input  logic                    unbounded_i,  // in dimension 0
  input  logic                    outside_i,    // another dimension is out of its bounds
  output logic        [Width-1:0] lead_o,
  output logic        [Width-1:0] data_o,
  output logic        [Width-1:0] tail_o,
  output logic        [Width-1:0] skip_o,       // from the row's address to its first data
  output logic                    plain_o       // the whole row is inside
);

  if (Bounds) begin : gen_bounds
    typedef logic signed [Width+1:0] sum_t;

    // Four sums of the inputs, whose signs tell where the row lies and which are the answers.
    sum_t past_end, room, excess;
    logic [Width-1:0] short_of;
    logic left_of, reaches, beyond, starts_beyond, nowhere;

    assign past_end      = sum_t'(coord_i) + sum_t'({2'b00, size_i});  // after it
    assign room          = sum_t'({2'b00, bound_i}) - sum_t'(coord_i);  // up to the bound
    assign excess        = past_end - sum_t'({2'b00, bound_i});  // past the bound
    assign short_of      = Width'(~coord_i[Width-1:0] + 1'b1);  // below 0

    assign left_of       = coord_i[Width];
    assign reaches       = past_end > 0;
    assign beyond        = excess > 0;
    assign starts_beyond = room <= 0;
    assign nowhere       = bound_i == '0;

    always_comb begin
      lead_o = '0;
      data_o = size_i;
      tail_o = '0;
      if (outside_i || (!unbounded_i && (nowhere || starts_beyond || (left_of && !reaches)))) begin
        lead_o = size_i;
        data_o = '0;
      end else if (!unbounded_i) begin
        unique case ({
          left_of, beyond
        })
          2'b00: ;
          2'b01: begin
            data_o = room[Width-1:0];
            tail_o = excess[Width-1:0];
          end
          2'b10: begin
            lead_o = short_of;
            data_o = past_end[Width-1:0];
          end
          2'b11: begin
            lead_o = short_of;
            data_o = bound_i;
            tail_o = excess[Width-1:0];
          end
        endcase
      end
    end

    assign skip_o  = (left_of && !unbounded_i) ? short_of : '0;
    assign plain_o = !outside_i && (unbounded_i || (!left_of && !beyond));
  end else begin : gen_none
    logic unused_ok;
    assign lead_o    = '0;
    assign data_o    = size_i;
    assign tail_o    = '0;
    assign skip_o    = '0;
    assign plain_o   = 1'b1;
    assign unused_ok = ^{coord_i, bound_i, unbounded_i, outside_i};
  end

endmodule
