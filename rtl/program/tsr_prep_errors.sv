// Why the descriptor at work is refused, if it is `bad_o`.
//
// Contract: the first error of a job counts: of row 3 in the order of load_error_e, then those
// of the rows that follow, as they are read. A further tile of a traversal has none. `wrong_o`
// comes a cycle later than `error_o`. A descriptor of a list that is not valid has its reason in bits
// 5:0 of word 15: the list has put it there.
// Latency: 1 cycle. Throughput: a row a cycle.
`include "tsr_assert.svh"
module tsr_prep_errors
  import tsr_program_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_descriptor_pkg::*;
  import tsr_prep_pkg::*;
#(
  parameter int unsigned AddrWidth   = 64,    // 32 .. 64
  parameter int unsigned BusLog      = 3,     // log2 of the bytes of the bus, 2 .. 7
  parameter int unsigned Descriptors = 16,
  parameter int unsigned Places      = 0,
  parameter int unsigned Locks       = 16,    // 0 .. 64
  parameter bit          Headers     = 1'b0,
  parameter bit          Walk        = 1'b1,
  parameter bit          Bounds      = 1'b1
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                header_i,      // row 3 of this job is in D
  input  job_t                job_i,
  input  logic                written_i,
  input  keep_e               keep_i,
  input  logic                last_look_i,   // nothing but strides and counts: a row is known
  input  attributes_t         attributes_i,
  input  logic                row_i,         // dimension 0 is one
  input  logic        [127:0] words_i,       // D
  output logic                bad_o,
  output logic        [  5:0] error_o,
  output logic                wrong_o
);

  localparam logic [5:0] None = 6'd0;

  logic [5:0] first, error, error_q;
  descriptor_row3_t row;
  bounds_row2_t limits;
  walk_row2_t moves;
  logic no_lock, over, row_over_q, too_long;
  logic base, reserved, length, long_row;
  // There is an error_q: of row 3, of its job, of rows behind. Six bits and a job would be late.
  logic row_wrong_q, job_wrong_q, later_q, some;
  logic absent, no_extension, row_reserved, later;
  logic [6:0] above;  // bits of a number of elements that has 2 ** 32 bytes or more
  assign row = words_i;
  assign limits = words_i;
  assign moves = words_i;

  // Signs of differences: every width of a parameter is legal.
  logic [7:0] acquired, released;
  logic [3:0] wider;
  assign acquired = {2'b0, row.locks.acquire_id} - 8'(Locks);
  assign released = {2'b0, row.locks.release_id} - 8'(Locks);
  assign wider = 4'(BusLog) - {1'b0, row.flags.elem_log2};
  assign no_lock  = (row.locks.acquire && (!acquired[7] || row.locks.acquire_value == 7'h40)) ||
                    (row.locks.release_value != '0 && !released[7]);

  // The count of dimension 0 and the length are the same word of their rows.
  assign above = 7'h7f << (3'd7 - attributes_i.elem);
  assign over = |(words_i[95:89] & above);
  assign absent = {1'b0, job_i.descriptor} >= 9'(job_i.from_list ? Places : Descriptors);
  assign no_extension = (row.flags.has_bounds && !Bounds) || (row.flags.has_walk && !Walk) ||
                        (row.flags.header && !Headers);
  assign row_reserved = descriptor_row3_reserved(row) != '0;
  assign too_long = row_i && row_over_q && !attributes_i.again;

  logic no_base;
  if (AddrWidth < 64) begin : gen_narrow
    assign no_base = words_i[63:AddrWidth] != '0;
  end else begin : gen_full
    assign no_base = 1'b0;
  end

  always_comb begin
    first = None;
    if (absent) first = LoadUnavailable;
    else if (job_i.from_list ? !row.flags.valid : !(row.flags.valid && written_i))
      first = job_i.from_list ? row.flags[5:0] : LoadInvalid;
    else if (no_extension) first = LoadExtension;
    else if (row_reserved) first = LoadReserved;
    else if (no_lock) first = LoadLock;
    else if (wider[3]) first = LoadElem;
    if (job_i.continues) first = None;

    // With high halves dimension 0 is a row only if that of its stride is 0.
    base = keep_i == KCounts01 && no_base;
    reserved = (keep_i == KMask && attributes_i.bounds && bounds_row2_reserved(limits) != '0) ||
        (keep_i == KMoves && walk_row2_reserved(moves) != '0);
    length = keep_i == KLength && attributes_i.has_length && over;
    long_row = (keep_i == KLength || last_look_i) && too_long;
    error = error_q;
    if (!some && !attributes_i.again) begin
      if (base) error = LoadBase;
      if (reserved) error = LoadReserved;
      if (length) error = LoadLength;
      if (long_row) error = LoadRow;
    end
  end
  assign later = base || reserved || length || long_row;
  assign some  = (row_wrong_q || job_wrong_q || later_q) && !attributes_i.again;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      error_q <= None;
      {row_wrong_q, job_wrong_q, later_q} <= '0;
    end else begin
      error_q <= header_i ? first : error;
      later_q <= !header_i && (later_q || later);
      if (header_i) begin
        row_wrong_q <= no_extension || row_reserved || no_lock || wider[3] ||
            (!row.flags.valid && row.flags[5:0] != '0);
        job_wrong_q <= absent || !(job_i.from_list || (row.flags.valid && written_i));
      end
    end
    wrong_o <= some;
    if (keep_i == KCounts01) row_over_q <= over;
  end
  assign bad_o   = some || (last_look_i && too_long);
  assign error_o = some ? error_q : LoadRow;

  logic unused_bits;
  assign unused_bits = ^{words_i, job_i, attributes_i, limits, moves, acquired, released, wider};

  `TSR_ASSERT(SomeIsTrue, some == (error_q != None))
  `TSR_ASSERT_NEXT(FirstCounts, error_q != None && !header_i, $stable(error_q))
  `TSR_STATIC_ASSERT(AddrWidth, AddrWidth >= 32 && AddrWidth <= 64,
                     ("AddrWidth = %0d; legal is 32 to 64", AddrWidth))
  `TSR_STATIC_ASSERT(BusLog, BusLog >= 2 && BusLog <= 7, ("BusLog = %0d; legal is 2 to 7", BusLog))
  `TSR_STATIC_ASSERT(Locks, Locks <= 64, ("Locks = %0d; legal is 0 to 64", Locks))

endmodule
