// The events of a tile by their numbers, the registers that select some of them, and the counters of them.
//
// Contract: watches, and touches nothing. `valid_i` is an access to a register of the counters, of monitored
// ports, of lock events or of channel events; a read shows in the next cycle. Of the streams those of this IP can be
// monitored, by the numbers that their ports have in the stream switch of the original. The ports of a
// compute tile belong to the core module, which this IP is not: they read back and nothing happens.
// Latency: 1 cycle from what happens to the counters.
`include "tsr_assert.svh"
module tsr_aieml_events
  import tsr_channel_pkg::*;
  import tsr_register_pkg::*;
  import tsr_program_pkg::*;
  import tsr_aieml_pkg::*;
#(
  parameter  int unsigned Image    = ImageMemory,
  localparam image_t      Tile     = image_of(Image),
  localparam int unsigned N        = Tile.Channels,
  localparam int unsigned Channels = 2 * N
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  input  logic            [ BusBits-1:2] word_i,
  input  logic                           valid_i,
  input  logic                           write_i,
  input  logic            [        31:0] data_i,
  output logic            [        31:0] data_o,
  input  aieml_activity_t [Channels-1:0] activity_i,
  input  stream_events_t  [Channels-1:0] stream_i,
  input  lock_report_t                   lock_i,
  input  logic                           packet_error_i
);

  localparam int unsigned Selectors = Tile.Selectors;
  localparam logic [31:0] LockMask = lock_event_bits(Image);

  // ---- Registers --------------------------------------------------------------------------------

  logic [1:0][31:0] ports_q;
  logic [Selectors-1:0][31:0] locks_q;
  logic [31:0] channels_q, selected_q, counter_data;
  logic at_counters, at_ports, at_locks, at_channels, counters_q;
  logic [5:0] read_word_q;
  logic [BusBits-1:0] at;

  assign at          = {word_i, 2'b00};
  assign at_counters = at[BusBits-1:8] == Tile.Events[BusBits-1:8];
  assign at_ports    = at[BusBits-1:3] == Tile.Ports[BusBits-1:3];
  assign at_locks    = at[BusBits-1:5] == Tile.LockEvents[BusBits-1:5];
  assign at_channels = Image == ImageMemory && at == EventChannels;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ports_q    <= '0;
      channels_q <= '0;
      locks_q    <= {Selectors{32'h3f}};
    end else if (valid_i && write_i) begin
      for (int unsigned n = 0; n < 2; n++) begin
        if (at_ports && word_i[2] == 1'(n)) ports_q[n] <= data_i & PortBits;
      end
      for (int unsigned n = 0; n < Selectors; n++) begin
        if (at_locks && word_i[4:2] == 3'(n)) locks_q[n] <= data_i & LockMask;
      end
      if (at_channels) channels_q <= data_i & EventChannelBits;
    end
    counters_q  <= at_counters;
    read_word_q <= word_i[7:2];
    selected_q  <= '0;
    for (int unsigned n = 0; n < 2; n++) begin
      if (at_ports && word_i[2] == 1'(n)) selected_q <= ports_q[n];
    end
    for (int unsigned n = 0; n < Selectors; n++) begin
      if (at_locks && word_i[4:2] == 3'(n)) selected_q <= locks_q[n];
    end
    if (at_channels) selected_q <= channels_q;
  end
  assign data_o = counters_q ? counter_data : selected_q;

  // ---- Channels ---------------------------------------------------------------------------------

  logic [Events-1:0] events, events_q;
  logic [3:0][3:0] chosen;  // of arrays over channels: two to memory, two to streams
  aieml_activity_t [3:0] activity;

  if (Image == ImageMemory) begin : gen_choice
    assign chosen[0] = 4'(N) + 4'(channels_q[2:0]);
    assign chosen[1] = 4'(N) + 4'(channels_q[10:8]);
    assign chosen[2] = 4'(channels_q[18:16]);
    assign chosen[3] = 4'(channels_q[26:24]);
  end else begin : gen_fixed
    assign chosen = {4'd1, 4'd0, 4'd3, 4'd2};
  end
  always_comb begin
    activity = '0;
    for (int unsigned k = 0; k < 4; k++) begin
      for (int unsigned c = 0; c < Channels; c++) begin
        if (chosen[k] == 4'(c) && (k < 2 || c < N)) activity[k] = activity[k] | activity_i[c];
      end
    end
  end

  // ---- Locks ------------------------------------------------------------------------------------

  // The locks again, as they are reported; after reset they are 0.
  localparam int unsigned LockWidth = $clog2(Tile.Locks);
  (* ram_style = "distributed" *)
  logic [LockBits-1:0] value_q[Tile.Locks];
  logic [LockWidth:0] sweep_q;
  logic swept;
  assign swept = sweep_q[LockWidth];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) sweep_q <= '0;
    else if (!swept) sweep_q <= sweep_q + 1'b1;
    if (!swept) value_q[sweep_q[LockWidth-1:0]] <= '0;
    else if (lock_i.changed) value_q[lock_i.id[LockWidth-1:0]] <= lock_i.value;
  end

  logic [Selectors-1:0][3:0] lock_events;
  for (genvar n = 0; n < Selectors; n++) begin : gen_selector
    logic [LockWidth-1:0] id;
    assign id = locks_q[n][16+:LockWidth];
    always_comb begin
      lock_events[n]    = '0;
      lock_events[n][3] = value_q[id] == locks_q[n][5:0];
      if (lock_i.id[LockWidth-1:0] == id) begin
        lock_events[n][2:0] = {lock_i.drop, lock_i.least, lock_i.equal};
      end
    end
  end

  // ---- Monitored ports --------------------------------------------------------------------------

  // The channel behind a port of the stream switch; one that does not exist is none.
  function automatic logic [4:0] behind(input logic [5:0] port);
    logic [4:0] number;
    number = port[4:0];
    if (Image == ImageMemory) begin
      return number < 5'(N) ? (port[5] ? 5'(N) + number : number) : '1;
    end
    if (port[5]) return number == 5'd4 ? 5'd2 : number == 5'd5 ? 5'd3 : '1;
    return number == 5'd5 ? 5'd0 : number == 5'd9 ? 5'd1 : '1;
  endfunction

  logic [7:0][3:0] port_events;
  for (genvar n = 0; n < 8; n++) begin : gen_port
    logic [4:0] channel;
    assign channel = behind(ports_q[n/4][8*(n%4)+:6]);
    always_comb begin
      port_events[n] = '0;
      for (int unsigned c = 0; c < Channels; c++) begin
        if (channel == 5'(c)) begin
          port_events[n] = {
            stream_i[c].valid && stream_i[c].ready && stream_i[c].last,
            stream_i[c].valid && !stream_i[c].ready,
            stream_i[c].valid && stream_i[c].ready,
            !stream_i[c].valid
          };
        end
      end
    end
  end

  // ---- All of them by number --------------------------------------------------------------------

  logic faults_in, faults_out, lock_error, token;
  logic [Tile.Counters-1:0] reached;

  always_comb begin
    {faults_in, faults_out, token} = '0;
    lock_error = lock_i.by_channel && (lock_i.over || lock_i.under);
    for (int unsigned c = 0; c < Channels; c++) begin
      if (c < N) faults_out = faults_out || activity_i[c].fault;
      else faults_in = faults_in || activity_i[c].fault;
      token = token || activity_i[c].token;
    end
  end

  always_comb begin
    events            = '0;
    events[EventTrue] = 1'b1;
    for (int unsigned n = 0; n < Tile.Counters; n++) events[EventCounter+n] = reached[n];
    for (int unsigned k = 0; k < 4; k++) begin
      events[Tile.Activity+k]                   = activity[k].starts;
      events[Tile.Activity+EventFinishedBd+k]   = activity[k].finished_bd;
      events[Tile.Activity+EventFinishedTask+k] = activity[k].finished_task;
      events[Tile.Activity+EventLock+k]         = activity[k].lock;
      events[Tile.Activity+EventStream+k]       = activity[k].on_stream;
      events[Tile.Activity+EventMemory+k]       = activity[k].on_memory;
    end
    for (int unsigned n = 0; n < Selectors; n++) begin
      events[Tile.Activity+EventSelector+4*n+:4] = lock_events[n];
    end
    if (Image == ImageMemory) begin
      for (int unsigned n = 0; n < 8; n++) events[EventPortMemory+4*n+:4] = port_events[n];
      events[133] = faults_in;
      events[134] = faults_out;
      events[137] = packet_error_i;
      events[139] = lock_error;
      events[140] = token;
    end else if (Image == ImageShim) begin
      for (int unsigned n = 0; n < 8; n++) events[EventPortShim+4*n+:4] = port_events[n];
      events[72] = faults_in;
      events[73] = faults_out;
      events[74] = lock_error;
      events[75] = token;
    end else begin
      for (int unsigned c = 0; c < 4; c++) events[97+c] = activity_i[c<2?2+c : c-2].fault;
      events[101] = lock_error;
      events[102] = token;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) events_q <= '0;
    else events_q <= events;
  end

  tsr_aieml_counters #(
    .Counters(Tile.Counters)
  ) u_counters (
    .clk_i,
    .rst_ni,
    .word_i     (word_i[7:2]),
    .write_i    (valid_i && write_i && at_counters),
    .data_i,
    .read_word_i(read_word_q),
    .data_o     (counter_data),
    .events_i   (events_q),
    .reached_o  (reached)
  );

  logic unused_bits;
  assign unused_bits = ^{activity_i, stream_i, lock_i, packet_error_i, ports_q, locks_q} ^
      ^{channels_q, port_events, faults_in, faults_out, chosen, at};

  `TSR_STATIC_ASSERT(Image, Image <= ImageCompute, ("Image = %0d; legal is 0 to 2", Image))

endmodule
