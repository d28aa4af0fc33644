// Takes what was asked for as it comes, in order, and writes it row by row to the RAM of the
// preparation.
//
// Contract. A request with a reason is done when its turn comes; all are, with `failed_i`. What
// went wrong becomes row 3 of the descriptor, which is not valid then, with the reason in bits 5:0
// of word 15; so does a descriptor that is not valid. A base tells which extensions its descriptor
// has (`wanted_o`); those it has no room for, and those that the build has not, are not asked for.
// `came_o` with `came_base_o`: the first 64 bytes; with `came_valid_o`: all. Beats of another epoch
// are dropped; so are all with `failed_i`. `wrong_o` is a fault, in one cycle.
// Latency: the last beat of a descriptor to `came_valid_o` 1 cycle. Throughput: a beat a cycle up
// to 128 bits, a row a cycle above.
`include "tsr_assert.svh"
module tsr_list_fetch
  import tsr_fabric_pkg::*;
  import tsr_program_pkg::channel_t;
  import tsr_program_pkg::list_row_t;
  import tsr_channel_pkg::*;
  import tsr_descriptor_pkg::*;
  import tsr_list_unit_pkg::*;
#(
  parameter  int unsigned Channels    = 2,                                   // 1..32
  parameter  int unsigned ListWidth   = 64,                                  // 64, 128, 256, 512
  parameter  int unsigned Outstanding = 16,                                  // a power of two
  parameter  int unsigned Ahead       = 16,
  parameter  bit          Guard       = 1'b1,
  parameter  bit          Walk        = 1'b1,
  parameter  bit          Bounds      = 1'b1,
  localparam int unsigned Index       = Channels > 1 ? $clog2(Channels) : 1
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  input  logic          [ Channels-1:0] active_i,
  input  list_request_t                 request_i,
  input  logic                          request_valid_i,
  output logic                          request_ready_o,
  output logic                          rests_o,           // no request waits
  output list_wanted_t                  wanted_o,
  output logic                          wanted_valid_o,
  input  logic                          wanted_ready_i,
  output channel_t                      coming_channel_o,  // in the next cycle but one, perhaps
  output logic                          coming_o,
  output list_came_t                    came_o,
  output logic                          came_base_o,
  output logic                          came_valid_o,
  output logic                          came_spoilt_o,     // by a fault
  // RAM of the preparation.
  output list_row_t                     row_o,
  output logic                          row_valid_o,
  input  logic                          row_ready_i,
  // Bus.
  input  logic                          failed_i,
  input  logic                          owed_i,            // a burst is on the bus
  output fault_e                        wrong_o,
  output logic                          end_o,             // a burst has ended
  input  logic                          mine_i,            // the beat is of this epoch
  input  logic          [ListWidth-1:0] r_data_i,
  input  logic          [          1:0] r_resp_i,
  input  logic                          r_last_i,
  input  logic                          r_valid_i,
  output logic                          r_ready_o
);

  localparam int unsigned Slot = $clog2(Ahead);

  // The oldest request is in registers.
  list_request_t request, queued;
  logic request_valid, request_refused, active, queued_valid, pops, loads, row_valid_q;
  tsr_fifo #(
    .Depth(Outstanding),
    .T    (list_request_t)
  ) u_requests (
    .clk_i,
    .rst_ni,
    .flush_i(1'b0),
    .data_i (request_i),
    .valid_i(request_valid_i),
    .ready_o(request_ready_o),
    .data_o (queued),
    .valid_o(queued_valid),
    .ready_i(loads)
  );
  assign loads = !request_valid || pops;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) request_valid <= 1'b0;
    else if (loads) request_valid <= queued_valid;
    if (loads) begin
      request         <= queued;
      request_refused <= queued.code != CodeNone;
    end
  end
  assign rests_o = !request_valid && !queued_valid && !row_valid_q;

  // ---- Rows from beats --------------------------------------------------------------------------

  logic refused, mine, beats, full, takes, last_row, last_beat, wrong_last, moves, loads_row;
  logic [  1:0] row_q;
  logic [127:0] row;
  logic [3:0] answer, code, code_q;
  assign refused   = request_refused || failed_i;
  assign mine      = r_valid_i && mine_i;
  assign beats     = mine && request_valid && !refused && owed_i;
  assign last_row  = row_q == 2'd3;
  assign last_beat = full && last_row;
  if (ListWidth == 64) begin : gen_half
    logic [63:0] low_q;
    logic first_q;
    always_ff @(posedge clk_i) begin
      if (beats && !first_q) low_q <= r_data_i;
      if (!rst_ni || failed_i) first_q <= 1'b0;
      else if (takes) first_q <= !first_q;
    end
    assign row   = {r_data_i, low_q};
    assign full  = first_q;  // the beat completes a row
    assign takes = beats && (!full || moves);
  end else begin : gen_whole
    // A beat stays until its last row is written.
    localparam int unsigned Rows = ListWidth / 128;
    localparam int unsigned Part = Rows > 1 ? $clog2(Rows) : 1;
    assign full = 1'b1;
    if (Rows == 1) begin : gen_one
      assign row   = r_data_i;
      assign takes = beats && moves;
    end else begin : gen_rows
      assign row   = r_data_i[128*row_q[Part-1:0]+:128];
      assign takes = beats && moves && row_q[Part-1:0] == '1;
    end
  end
  assign end_o = mine && owed_i && r_ready_o && r_last_i;
  // What nothing waits for is taken, too.
  assign r_ready_o = !mine_i || failed_i || !owed_i || takes;
  assign wrong_last = Guard && takes && r_last_i != last_beat;
  always_comb begin
    wrong_o = FaultNone;
    if (mine && !owed_i) wrong_o = FaultUnasked;
    else if (wrong_last) wrong_o = r_last_i ? FaultEarlyLast : FaultLateLast;
  end
  assign loads_row        = request_valid && moves && (refused || (beats && full && !wrong_last));
  assign pops             = loads_row && (refused || last_row);
  assign coming_o         = pops;
  assign coming_channel_o = request.channel;

  // The first error of a descriptor, also over both extensions.
  always_comb begin
    answer = CodeNone;
    if (request_refused) answer = request.code;
    else if (failed_i) answer = CodeFault;
    else if (r_resp_i[1]) answer = r_resp_i[0] ? CodeDecode : CodeFetch;
    code = code_q != CodeNone ? code_q : answer;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni || failed_i) row_q <= '0;
    else if (loads_row && !refused) row_q <= row_q + 1'b1;
    if (!rst_ni || (pops && (request.area == AreaBase || request.last))) code_q <= CodeNone;
    else if (takes || pops) code_q <= code;
  end

  // ---- Descriptors from rows --------------------------------------------------------------------

  list_request_t row_request;
  logic row_ends_q, base, bad, wants, bounds, walk, there, fits;
  logic [1:0] row_at_q, count;
  logic [3:0] row_code_q, what;
  descriptor_row3_t data_q;
  assign moves = !row_valid_q || row_ready_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) row_valid_q <= 1'b0;
    else if (moves) row_valid_q <= loads_row;
    if (moves) begin
      row_request <= request;
      active      <= active_i[request.channel[Index-1:0]];
      row_ends_q  <= refused || last_row;
      row_at_q    <= row_q;
      row_code_q  <= code;
      data_q      <= row;
    end
  end
  assign base        = row_request.area == AreaBase;
  assign bounds      = data_q.flags.has_bounds;
  assign walk        = data_q.flags.has_walk;
  assign there       = (bounds || walk) && (Bounds || !bounds) && (Walk || !walk);
  assign count       = 2'(bounds) + 2'(walk);
  assign fits        = !base || count <= row_request.pitch;
  // The last row is written with what became of the burst.
  assign what        = row_code_q != CodeNone ? row_code_q : fits ? CodeNone : CodePitch;
  assign bad         = row_ends_q && (row_code_q != CodeNone || !fits);
  // Row 3 of a traversal is not the list's.
  assign row_valid_o = row_valid_q && (bad || !(row_request.area == AreaWalk && row_ends_q));
  assign row_o.place = 8'({row_request.channel, row_request.slot[Slot-1:0]});
  assign row_o.area  = bad ? AreaBase : descriptor_area_e'(row_request.area);
  assign row_o.row   = bad ? 2'd3 : row_at_q;
  descriptor_row3_t data;
  always_comb begin
    data = data_q;
    if (bad || (base && row_ends_q && !data_q.flags.valid)) data.flags[5:0] = LoadInvalid;
    if (bad) begin
      data.flags.valid    = 1'b0;
      data.flags.has_walk = 1'b0;
      data.flags[3:0]     = what;
    end
  end
  assign row_o.data = data;

  logic comes;
  assign comes = row_valid_q && row_ready_i && row_ends_q;
  assign wants = base && !bad && there && active;
  assign came_base_o = comes && base;
  assign came_valid_o = comes && (base ? !wants : row_request.last);
  assign came_spoilt_o = row_code_q == CodeFault;
  assign came_o = '{
          channel: row_request.channel,
          slot: row_request.slot,
          parity: row_request.parity,
          bad: bad,
          turn_end: row_request.ring ? !data_q.next.has_next : row_request.at_end,
          at_end: row_request.at_end
      };

  // No descriptor is asked for while extensions wait: those of all bases that are under way find
  // room here.
  logic wanted_ready;
  list_wanted_t wanted_q;
  logic wanted_valid_q;
  always_ff @(posedge clk_i) begin
    wanted_valid_q <= rst_ni && comes && wants;
    wanted_q <= '{
        channel: row_request.channel,
        slot: row_request.slot,
        bounds: Bounds && bounds,
        walk: Walk && walk
    };
  end
  tsr_fifo #(
    .Depth(2 * Outstanding),
    .T    (list_wanted_t)
  ) u_wanted (
    .clk_i,
    .rst_ni,
    .flush_i(1'b0),
    .data_i (wanted_q),
    .valid_i(wanted_valid_q),
    .ready_o(wanted_ready),
    .data_o (wanted_o),
    .valid_o(wanted_valid_o),
    .ready_i(wanted_ready_i)
  );

  logic unused_row;
  assign unused_row = ^row_request;

  `TSR_STATIC_ASSERT(ListWidth, ListWidth inside {64, 128, 256, 512},
                     ("ListWidth = %0d; legal is 64, 128, 256, 512", ListWidth))
  `TSR_STATIC_ASSERT(Outstanding, Outstanding >= 4 && Outstanding <= 32 && $onehot(Outstanding),
                     ("Outstanding = %0d; legal is 4, 8, 16, 32", Outstanding))
  `TSR_ASSERT(ExtensionsFindRoom, !wanted_valid_q || wanted_ready)
  `TSR_ASSERT(RequestsFindRoom, !request_valid_i || request_ready_o)

endmodule
