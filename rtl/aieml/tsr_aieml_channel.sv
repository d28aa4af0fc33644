// The registers of one channel of a tile: control, start queue, status, counts.
//
// Contract: accesses act in their cycle; `status_o`, `control_o` and `count_o` are what a read
// shows, of the status without what the view of the channel and the refused descriptor add. A task that `queue_i` pushes goes to the
// sequencer at once (`task_valid_o`, always taken), or is dropped if four tasks wait beside the one in hand (`refused_o`), and the overflow
// bit stays until it is written 1. A task is in hand until its last transfer is done, however far ahead its
// descriptors have been loaded.
// Errors stay until the reset of the channel; those of the bus of a shim until they are written 1.
// Records that nobody counts go, and those that wait behind a reset: `drop_o` until `dropped_i` tells that there are none.
// Latency: status follows the channel by 0 cycles, sticky bits by 1.
`include "tsr_assert.svh"
module tsr_aieml_channel
  import tsr_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_program_pkg::*;
  import tsr_aieml_pkg::*;
#(
  parameter int unsigned Image    = ImageMemory,
  parameter bit          Receives = 1'b0,         // S2MM
  parameter bit          Odd      = 1'b0,
  parameter bit          Staged   = 1'b1
) (
  input logic clk_i,
  input logic rst_ni,
  // Registers.
  input logic control_i,  // writes
  input logic queue_i,
  input logic status_i,
  input logic [31:0] data_i,
  input logic reset_i,  // of the page, beside that of the control word
  output logic [31:0] control_o,
  output logic [31:0] status_o,
  output logic [31:0] count_o,
  // The channel.
  output orders_t orders_o,
  output logic pause_o,
  output aieml_mode_t mode_o,
  output logic pause_stream_o,
  output logic resets_o,  // a reset is under way, though its bit may be 0 again
  output logic active_o,  // a task is in hand and the channel has not stopped, or a reset goes on
  output aieml_activity_t activity_o,
  output logic recovers_o,  // from a reset: a task would be lost, and waits
  output task_t task_o,
  output logic task_valid_o,
  output logic refused_o,
  input channel_levels_t levels_i,
  input logic rested_i,  // a reset is done
  input logic owed_i,  // the memory has not answered
  input logic stuck_i,  // a reset does not end
  input sequencer_event_t event_i,
  input logic event_valid_i,  // of this channel
  output logic drop_o,
  input logic dropped_i,
  // Its stream: a handshake of so many words, and who waits.
  input logic [5:0] words_i,
  input logic memory_waits_i,
  input logic stalled_i
);

  localparam bit Shim = Image == ImageShim;
  localparam logic [31:0] Writable = control_bits(Image, Receives);

  logic done, task_done;
  assign done      = event_valid_i && event_i.finished;
  assign task_done = done && event_i.task_done;

  // ---- Control ----------------------------------------------------------------------------------

  logic [31:0] control_q;
  logic [ 1:0] finish_mode;
  logic reset, in_reset;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) control_q <= '0;
    else if (control_i) control_q <= data_i & Writable;
  end
  assign control_o   = control_q;
  assign finish_mode = control_q[17:16];
  assign reset       = reset_i || (!Shim && control_q[1]);

  // A reset that is asked for is carried through: it is ordered until it is done.
  logic resets_q, in_reset_q;
  assign in_reset = reset || resets_q;
  assign resets_o = in_reset;
  always_ff @(posedge clk_i) begin
    resets_q   <= rst_ni && (reset || (resets_q && !rested_i));
    in_reset_q <= !rst_ni || in_reset;
  end
  assign recovers_o = !reset && (in_reset || in_reset_q || (drop_o && mode_o.counts)) && !stuck_i;
  assign pause_stream_o = Shim && control_q[2];

  always_comb begin
    mode_o            = '0;
    mode_o.receives   = Receives;
    mode_o.odd        = Odd;
    mode_o.finish     = Receives && finish_mode != '0;
    mode_o.counts     = Receives && finish_mode == 2'd3;
    mode_o.compresses = !Shim && control_q[4];
    mode_o.by_header  = Receives && Staged && control_q[3];
  end
  assign pause_o  = Shim && control_q[1];
  assign orders_o = '{reset: in_reset, by_id: Receives && Staged && control_q[3], default: '0};

  // ---- Tasks: the one in hand and those that wait -----------------------------------------------

  logic [2:0] tasks_q, waiting;
  logic full, pushes, overflow_q;

  assign full    = tasks_q == 3'(QueueDepth + 1);
  assign pushes  = queue_i && !in_reset;
  assign waiting = tasks_q == '0 ? '0 : tasks_q - 1'b1;
  assign task_valid_o = pushes && !full;
  assign refused_o = pushes && full;
  always_comb begin
    task_o         = '0;
    task_o.token   = data_i[31] && !mode_o.by_header;
    task_o.repeats = 16'(data_i[23:16]);
    task_o.start   = descriptor_id_t'({Image == ImageMemory ? data_i[5:4] : 2'b00, data_i[3:0]});
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || in_reset) begin
      tasks_q    <= '0;
      overflow_q <= 1'b0;
    end else begin
      tasks_q    <= tasks_q + 3'(task_valid_o) - 3'(task_done);
      overflow_q <= refused_o || (overflow_q && !(status_i && data_i[18]));
    end
  end

  // ---- Errors -----------------------------------------------------------------------------------

  logic slave_q, decode_q, memory_q, length_q, ended, bus_error;
  assign ended     = done && !event_i.status.aborted;
  assign bus_error = event_i.status.slverr || event_i.status.decerr;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || in_reset) begin
      {slave_q, decode_q, memory_q, length_q} <= '0;
    end else begin
      slave_q <= (ended && Shim && event_i.status.slverr) || (slave_q && !(status_i && data_i[17]));
      decode_q <= (ended && Shim && event_i.status.decerr) ||
          (decode_q && !(status_i && data_i[16]));
      memory_q <= memory_q || (ended && !Shim && bus_error);
      length_q <= length_q || (ended && event_i.status.overlong);
    end
  end

  // ---- Status -----------------------------------------------------------------------------------

  logic halted, active, engine;

  assign halted   = levels_i.halted || levels_i.faulted;
  assign active   = tasks_q != '0 && !halted;
  assign engine   = levels_i.running;
  assign active_o = active || (in_reset && (engine || owed_i || !levels_i.idle || !rested_i));

  always_comb begin
    status_o        = '0;
    status_o[22:20] = waiting;
    status_o[19]    = active || waiting != '0;
    status_o[18]    = overflow_q;
    status_o[17]    = slave_q;
    status_o[16]    = decode_q;
    status_o[12]    = length_q;
    status_o[9]     = memory_q;
    status_o[5]     = levels_i.full;
    status_o[4]     = engine && stalled_i;
    status_o[2]     = levels_i.locked && !engine && !halted;
    if (active) status_o[1:0] = !engine && !levels_i.full ? 2'd1 : 2'd2;
  end

  // ---- Activity, for events -----------------------------------------------------------------------

  always_comb begin
    activity_o               = '0;
    activity_o.starts        = (tasks_q == '0 || task_done) && (tasks_q > 3'd1 || task_valid_o);
    activity_o.finished_bd   = ended;
    activity_o.finished_task = task_done;
    activity_o.lock          = status_o[2];
    activity_o.on_stream     = status_o[4];
    activity_o.on_memory     = memory_waits_i;
    activity_o.fault         = halted;
    activity_o.token         = status_o[5];
  end

  // ---- Counts -----------------------------------------------------------------------------------

  always_ff @(posedge clk_i) begin
    if (!rst_ni) drop_o <= 1'b0;
    else if (in_reset || (!mode_o.counts && ((done && event_i.record) || control_i)))
      drop_o <= 1'b1;
    else if (dropped_i) drop_o <= 1'b0;
  end

  if (Receives) begin : gen_counts
    logic [17:0] taken_q, last_q;  // words of transfers that are not done; of the last one
    always_ff @(posedge clk_i) begin
      if (!rst_ni || in_reset) begin
        taken_q <= '0;
        last_q  <= '0;
      end else begin
        taken_q <= taken_q + 18'(words_i) - (done ? event_i.bytes[19:2] : '0);
        if (done) last_q <= event_i.bytes[19:2];
      end
    end
    assign count_o = {14'd0, engine && taken_q != '0 ? taken_q : last_q};
  end else begin : gen_no_counts
    logic unused_counts;
    assign unused_counts = ^{words_i};
    assign count_o       = '0;
  end

  logic unused_inputs;
  assign unused_inputs = ^{data_i, levels_i, event_i};

  `TSR_ASSERT(TasksFit, !task_done || tasks_q != '0 || in_reset)

endmodule
