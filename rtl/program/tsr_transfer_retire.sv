// Retires transfers of all channels: lock release, token, completion entry, record, events.
//
// Contract. Ends of a channel come in the order in which its transfers were loaded, each of one that was
// launched. An end stays on `end_i` until `end_ready_o`. Of each is due: a release if its value is not 0;
// a completion entry if the descriptor came from a list; each is offered until it is accepted, once. Then the record,
// unless the descriptor wants none and all went well, and with it a token if the task wants one and ends. A transfer with a bit of `stop_on_i`, or aborted, has failed its promise: it releases no lock, sends no
// token, and is no event for others. `stop_on_i` belongs to the channel of `end_i` and counts in the
// second cycle of an end.
// `running_o`: a transfer was launched and is not retired.
// Latency: 2 cycles from an end to its release. Throughput: 3 cycles an end, 5 with an error; one more with Side, and
// with a release or an entry; more while one of these or the event port is not ready.
`include "tsr_assert.svh"
module tsr_transfer_retire
  import tsr_pkg::status_t;
  import tsr_descriptor_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_register_pkg::*;
  import tsr_program_pkg::*;
#(
  parameter  int unsigned Reads    = 1,                                    // 0..16
  parameter  int unsigned Channels = 2,                                    // 1..32, reads first
  parameter  int unsigned Flight   = 8,                                    // transfers of a channel
  parameter  bit          Side     = 1'b0,
  parameter  bit          Lists    = 1'b0,
  parameter  bit          Far      = 1'b0,
  localparam int unsigned Index    = Channels > 1 ? $clog2(Channels) : 1,
  localparam int unsigned Seat     = $clog2(Flight) + 1
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  sweep_t                          sweep_i,
  input  logic             [        31:0] cycles_i,
  input  loaded_t                         loaded_i,
  // Transfers that were launched.
  input  logic             [   Index-1:0] go_channel_i,
  input  logic             [Channels-1:0] go_hot_i,
  output logic             [Channels-1:0] running_o,
  // Engine.
  input  transfer_end_t                   end_i,
  input  logic                            end_valid_i,
  output logic                            end_ready_o,
  output end_word_e                       end_word_o,       // of `end_i`
  input  logic             [         6:0] stop_on_i,
  // What is due.
  output lock_op_t                        release_o,
  output lock_side_e                      release_side_o,
  output logic                            release_valid_o,
  input  logic                            release_ready_i,
  output logic                            token_valid_o,
  output list_entry_t                     entry_o,
  output logic                            entry_valid_o,
  input  logic                            entry_ready_i,
  output record_put_t                     put_o,
  input  logic                            popped_i,
  output sequencer_event_t                event_o,
  output logic                            event_valid_o,
  input  logic                            event_ready_i,
  output logic             [Channels-1:0] stops_o,          // by a bit of `stop_on_i`
  output logic             [Channels-1:0] skips_o,          // retired without a record
  output wait_e                           waits_o,          // of the channel of `end_i`
  // Transfers that have ended.
  input  logic             [   Index-1:0] look_i,
  output logic             [    Seat-1:0] ended_o,
  // Descriptor of the transfer that ends next.
  input  logic             [   Index-1:0] view_i,
  output descriptor_id_t                  view_oldest_o
);

  typedef enum logic [2:0] {
    EndRead,     // the place of its transfer
    EndCheck,    // its status
    EndAct,
    EndDropped,
    EndAddr
  } state_e;

  (* ram_style = "distributed" *) logic [Seat-1:0] ended_q[2**Index];

  logic [Index-1:0] channel_q, swept_at;
  logic [Seat-1:0] seat_q, seat_next;
  due_t   due;
  style_t style;
  side_t kept_side, side;
  listed_t listed;
  assign swept_at  = Index'(sweep_i.channel);
  assign seat_next = seat_q + 1'b1;
  assign ended_o   = ended_q[look_i];
  tsr_due_memory #(
    .Channels(Channels),
    .Flight  (Flight),
    .Side    (Side),
    .Lists   (Lists),
    .Far     (Far)
  ) u_due (
    .clk_i,
    .put_i         (loaded_i),
    .view_channel_i(view_i),
    .view_place_i  (ended_q[view_i][Seat-2:0]),
    .view_o        (view_oldest_o),
    .channel_i     (channel_q),
    .place_i       (seat_q[Seat-2:0]),
    .due_o         (due),
    .style_o       (style),
    .side_o        (kept_side),
    .listed_o      (listed)
  );
  // What is received has that of its stream.
  assign side = 32'(channel_q) >= Reads && Side ? end_i.side : kept_side;

  // ---- Status -----------------------------------------------------------------------------------

  state_e state_q, state_d;
  status_t status, status_q;
  logic acts, stops, stops_q, spoilt, spoilt_q, bad_q, records_q, finish;
  logic released_q, entered_q;  // or not due
  logic [6:0] odd;
  logic [19:0] bytes_q;
  logic last_q;
  status_t engine_q;  // as the engine has it
  assign odd = bytes_q[6:0] & ~(7'h7f << style.element);
  always_comb begin
    status                 = engine_q;
    status.partial_element = style.finish && last_q && !engine_q.aborted && odd != '0;
  end
  assign stops  = (status & stop_on_i) != '0;
  assign spoilt = stops || engine_q.aborted;
  always_ff @(posedge clk_i) begin
    if (state_q == EndRead) begin
      bytes_q <= end_i.data[19:0];
      last_q <= end_i.last;
      engine_q <= '{
          illegal: 1'b0,
          aborted: end_i.aborted,
          sparse_keep: end_i.sparse_keep,
          partial_element: 1'b0,
          overlong: end_i.overlong,
          decerr: end_i.decerr || end_i.denied,
          slverr: end_i.slverr
      };
    end
    if (state_q == EndCheck) begin
      status_q  <= status;
      bad_q     <= status != '0;
      stops_q   <= stops;
      spoilt_q  <= spoilt;
      records_q <= !style.no_record || status != '0;
    end
  end

  // ---- What is due ------------------------------------------------------------------------------

  assign acts = state_q == EndAct;
  assign release_o = due.drop;
  assign release_side_o = due.side;
  assign release_valid_o = acts && !released_q && !spoilt_q;
  assign token_valid_o = finish && !spoilt_q && due.token && due.task_end;
  assign entry_valid_o = acts && !entered_q;
  assign entry_o = '{
          channel: end_i.channel,
          tag: due.tag,
          index: listed.index,
          bytes: end_i.data[47:0],
          status: status_q,
          last: end_i.last,
          task_end: due.task_end,
          interrupts: style.interrupts
      };

  always_comb begin
    state_d = state_q;
    finish  = 1'b0;
    unique case (state_q)
      EndRead:  if (end_valid_i && !sweep_i.valid) state_d = EndCheck;
      EndCheck: state_d = EndAct;
      EndAct: begin
        if ((released_q || spoilt_q) && entered_q) begin
          if (bad_q || (Side && records_q)) state_d = EndDropped;
          else finish = event_ready_i && (records_q || !popped_i);
        end
      end
      EndDropped: begin
        if (bad_q) state_d = EndAddr;
        else finish = event_ready_i;
      end
      EndAddr:  finish = event_ready_i;
      default:  state_d = EndRead;
    endcase
    if (finish) state_d = EndRead;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) state_q <= EndRead;
    else state_q <= state_d;
    if (state_q == EndRead) begin
      channel_q <= Index'(end_i.channel);
      seat_q    <= ended_q[Index'(end_i.channel)];
    end else if (state_q == EndCheck) begin
      released_q <= due.drop.value == '0;
      entered_q  <= !Lists || !listed.from_list;
    end else if (acts) begin
      if (release_ready_i) released_q <= 1'b1;
      if (entry_ready_i) entered_q <= 1'b1;
    end
    if (finish || sweep_i.valid)
      ended_q[sweep_i.valid?swept_at : channel_q] <= sweep_i.valid ? '0 : seat_next;
  end
  assign end_ready_o = finish;

  // ---- Record and event -------------------------------------------------------------------------

  // Follows the state: a multiplexer of four needs two bits.
  logic [1:0] word_q;
  always_ff @(posedge clk_i) begin
    if (state_d == EndRead || state_d == EndCheck) word_q <= 2'd0;
    else if (state_d != state_q) word_q <= word_q + 1'b1;
  end
  always_comb begin
    unique case (word_q)
      2'd2:    end_word_o = WordDropped;
      2'd3:    end_word_o = WordAddress;
      default: end_word_o = WordBytes;
    endcase
  end
  tsr_retire_report u_report (
    .cycles_i,
    .channel_i(channel_t'(channel_q)),
    .end_i,
    .due_i    (due),
    .style_i  (style),
    .side_i   (side),
    .status_i (status_q),
    .spoilt_i (spoilt_q),
    .records_i(records_q),
    .word_i   (word_q),
    .written_i(state_q != EndRead),
    .finish_i (finish),
    .bytes_i  (bytes_q),
    .put_o,
    .event_o
  );
  assign event_valid_o = finish;

  always_comb begin
    if (!acts) waits_o = WaitTask;
    else if (release_valid_o) waits_o = WaitRelease;
    else if (!entered_q) waits_o = WaitWrite;
    else waits_o = WaitTask;
  end

  // ---- Channels ---------------------------------------------------------------------------------

  tsr_running #(
    .Channels(Channels),
    .Seat    (Seat)
  ) u_running (
    .clk_i,
    .rst_ni,
    .sweep_i,
    .go_channel_i,
    .go_hot_i,
    .end_i        (finish),
    .end_channel_i(channel_q),
    .ended_i      (seat_next),
    .running_o
  );
  always_comb begin
    for (int unsigned c = 0; c < Channels; c++) begin
      stops_o[c] = finish && stops_q && 32'(channel_q) == c;
      skips_o[c] = finish && !records_q && 32'(channel_q) == c;
    end
  end

  logic unused_in;
  assign unused_in = ^{sweep_i, listed};

  transfer_end_t steady;
  always_comb begin
    steady      = end_i;
    steady.data = '0;
  end
  `TSR_ASSUME_STABLE(EndStays, end_valid_i, end_ready_o, steady)

  `TSR_ASSERT(OnlyAnEndIsRetired, !finish || end_valid_i)

endmodule
