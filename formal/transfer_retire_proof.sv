// tsr_transfer_retire: each transfer that ends is retired once, in the order of its channel: its release, token,
// completion entry, record and event are those that it has due, none twice and none for a neighbor.
`include "proof.svh"

module transfer_retire_proof
  import tsr_pkg::status_t;
  import tsr_channel_pkg::*;
  import tsr_register_pkg::*;
  import tsr_program_pkg::*;
#(
  localparam int unsigned Channels = 2,
  localparam int unsigned Flight   = 2
) (
  input logic       clk_i,
  input logic       rst_ni,
  input logic       load_i,
  input logic       load_channel_i,
  input logic       drops_i,
  input logic       token_i,
  input logic       task_end_i,
  input logic       listed_i,
  input logic       no_record_i,
  input logic [1:0] tag_i,
  input logic       go_i,
  input logic       go_channel_i,
  input logic       end_valid_i,
  input logic       end_channel_i,
  input logic       slverr_i,
  input logic       aborted_i,
  input logic       stop_i,
  input logic       release_ready_i,
  input logic       entry_ready_i,
  input logic       event_ready_i,
  input logic       popped_i
);

  // Memories begin with 0, as behind a sweep.
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  OneReset :
  assume property (@(posedge clk_i) rst_ni == started_q);

  // ---- Transfers: loaded, launched, ended ---------------------------------------------------------

  typedef struct packed {
    logic       drops, token, task_end, listed, no_record;
    logic [1:0] tag;
  } work_t;
  work_t [1:0][1:0] works_q;
  logic [1:0][1:0] loaded_q, launched_q, ended_q;
  work_t work;
  logic load, go, ready;
  assign load = rst_ni && load_i;
  assign go   = rst_ni && go_i;
  always_ff @(posedge clk_i) begin
    if (load)
      works_q[load_channel_i][loaded_q[load_channel_i][0]] <= '{
          drops_i,
          token_i,
          task_end_i,
          listed_i,
          no_record_i,
          tag_i
      };
    for (int unsigned c = 0; c < Channels; c++) begin
      if (!rst_ni) {loaded_q[c], launched_q[c], ended_q[c]} <= '0;
      else begin
        loaded_q[c]   <= loaded_q[c] + 2'(load && load_channel_i == c[0]);
        launched_q[c] <= launched_q[c] + 2'(go && go_channel_i == c[0]);
        ended_q[c]    <= ended_q[c] + 2'(ready && end_channel_i == c[0]);
      end
    end
  end
  logic [1:0] in_flight;
  assign in_flight = loaded_q[load_channel_i] - ended_q[load_channel_i];
  `TSR_ASSUME(AtMostFlight, !load_i || in_flight != 2'(Flight))
  `TSR_ASSUME(LoadedFirst, !go_i || launched_q[go_channel_i] != loaded_q[go_channel_i])
  `TSR_ASSUME(LaunchedFirst, !end_valid_i || ended_q[end_channel_i] != launched_q[end_channel_i])
  `TSR_ASSUME_STABLE(EndStays, end_valid_i, ready, ({end_channel_i, slverr_i, aborted_i}))

  loaded_t loaded;
  transfer_end_t ends;
  always_comb begin
    loaded = '0;
    loaded.valid = load;
    loaded.channel = channel_t'(load_channel_i);
    loaded.seat = 5'(loaded_q[load_channel_i]);
    loaded.due.drop.value = lock_amount_t'({1'b0, drops_i});
    loaded.due.drop.id = lock_id_t'(tag_i);
    loaded.due.token = token_i;
    loaded.due.task_end = task_end_i;
    loaded.due.tag = 32'(tag_i);
    loaded.listed = '{from_list: listed_i, index: 16'(tag_i)};
    loaded.style.no_record = no_record_i;
    ends = '0;
    ends.channel = channel_t'(end_channel_i);
    ends.slverr = slverr_i;
    ends.aborted = aborted_i;
  end

  lock_op_t drop;
  lock_side_e drop_side;
  list_entry_t entry;
  record_put_t put;
  sequencer_event_t happens;
  logic drop_valid, token_valid, entry_valid, event_valid;
  logic [Channels-1:0] running, skips, go_hot;
  assign go_hot = {go_channel_i, !go_channel_i} & {2{go}};
  tsr_transfer_retire #(
    .Reads   (1),
    .Channels(Channels),
    .Flight  (Flight),
    .Lists   (1'b1)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .sweep_i        ('0),
    .cycles_i       ('0),
    .loaded_i       (loaded),
    .go_channel_i,
    .go_hot_i       (go_hot),
    .running_o      (running),
    .end_i          (ends),
    .end_valid_i,
    .end_ready_o    (ready),
    .end_word_o     (),
    .stop_on_i      ({7{stop_i}}),
    .release_o      (drop),
    .release_side_o (drop_side),
    .release_valid_o(drop_valid),
    .release_ready_i,
    .token_valid_o  (token_valid),
    .entry_o        (entry),
    .entry_valid_o  (entry_valid),
    .entry_ready_i,
    .put_o          (put),
    .popped_i,
    .event_o        (happens),
    .event_valid_o  (event_valid),
    .event_ready_i,
    .stops_o        (),
    .skips_o        (skips),
    .waits_o        (),
    .look_i         ('0),
    .ended_o        (),
    .view_i         ('0),
    .view_oldest_o  ()
  );
  assign work = works_q[end_channel_i][ended_q[end_channel_i][0]];

  // ---- What was done for the end that is offered --------------------------------------------------

  logic [1:0] drops_q, tokens_q, entries_q, drops, tokens, entries;
  logic spoilt_q, second_q, first_q, fails, records;
  assign drops   = drops_q + 2'(drop_valid && release_ready_i);
  assign tokens  = tokens_q + 2'(token_valid);
  assign entries = entries_q + 2'(entry_valid && entry_ready_i);
  assign fails   = slverr_i || aborted_i;
  assign records = !work.no_record || fails;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || ready || !end_valid_i) begin
      {drops_q, tokens_q, entries_q, first_q} <= '0;
    end else begin
      drops_q   <= drops;
      tokens_q  <= tokens;
      entries_q <= entries;
      first_q   <= 1'b1;
    end
    second_q <= rst_ni && !ready && end_valid_i && !first_q;
    // In the second cycle of an end it is looked at whether it stops its channel.
    if (second_q) spoilt_q <= aborted_i || (stop_i && fails);
  end

  `TSR_ASSERT(OnlyForAnEnd,
              end_valid_i || !(drop_valid || token_valid || entry_valid || event_valid || ready))
  `TSR_ASSERT(OneRelease, !ready || drops == 2'(work.drops && !spoilt_q))
  `TSR_ASSERT(OneToken, !ready || tokens == 2'(work.token && work.task_end && !spoilt_q))
  `TSR_ASSERT(OneEntry, !ready || entries == 2'(work.listed))
  `TSR_ASSERT(NoneTwice, drops_q[1] == 1'b0 && tokens_q[1] == 1'b0 && entries_q[1] == 1'b0)
  `TSR_ASSERT(ItsRelease, !drop_valid || drop == {6'(work.tag), 7'd1})
  `TSR_ASSERT(ItsEntry,
              !entry_valid || (entry.index == 16'(work.tag) && entry.channel == ends.channel))
  `TSR_ASSERT(OneEvent, event_valid == ready)
  `TSR_ASSERT(EventIsTaken, !event_valid || event_ready_i)
  `TSR_ASSERT(ItsEvent, !event_valid || happens.channel == ends.channel)
  `TSR_ASSERT(ItsPromise, !event_valid || happens.delivered == !spoilt_q)
  `TSR_ASSERT(OneRecord, put.push == (ready && records))
  `TSR_ASSERT(ItsRecord, !put.push || put.channel == ends.channel)
  `TSR_ASSERT(OrNone, skips == ({end_channel_i, !end_channel_i} & {2{ready && !records}}))
  // A launch counts a cycle later, an end two.
  logic [Channels-1:0] busy, busy_q;
  always_ff @(posedge clk_i) busy_q <= rst_ni ? busy : '0;
  for (genvar c = 0; c < Channels; c++) begin : gen_channel
    assign busy[c] = launched_q[c] != ended_q[c];
    `TSR_ASSERT(RunsWhileBusy, !busy[c] || running[c])
    `TSR_ASSERT(RestsAfterwards, busy[c] || busy_q[c] || !running[c])
  end

  `TSR_COVER(AllOfIt, ready && drops == 2'd1 && tokens == 2'd1 && entries == 2'd1)
  `TSR_COVER(Spoilt, ready && work.drops && work.token && work.task_end && spoilt_q && !aborted_i)
  `TSR_COVER(SecondOfAChannel, ready && end_channel_i && ended_q[1] == 2'd1 && ended_q[0] == 2'd1)
  logic unused;
  assign unused = ^{entry, put, happens};

endmodule
