// The registers of one channel of a tile: control, start queue, status, counts.
//
// Contract: accesses act in their cycle; `status_o`, `control_o`, `count_o` and `fifo_o` are what a read
// shows. A task that `queue_i` pushes goes to the channel at once (`task_valid_o`, always taken), or
// is dropped if four tasks wait beside the one in hand (`refused_o`), and the overflow bit stays
// until it is written 1. A task is in hand until its last transfer is done, however far ahead its
// descriptors have been loaded.
// Errors stay until the reset of the channel; those of the bus of a shim until they are written 1.
// A reset drops the counts that were not read.
// Latency: status follows the channel by 0 cycles, sticky bits by 1.
`include "tsr_assert.svh"
module tsr_aieml_channel
  import tsr_pkg::*;
  import tsr_fabric_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_register_pkg::*;
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
  input logic pop_i,  // reads the FIFO of counts
  input logic [31:0] data_i,
  input logic reset_i,  // of the page, beside that of the control word
  output logic [31:0] control_o,
  output logic [31:0] status_o,
  output logic [31:0] count_o,
  output logic [31:0] fifo_o,
  // The channel.
  output channel_setup_t setup_o,
  output aieml_mode_t mode_o,
  output logic pause_stream_o,
  output logic active_o,  // a task is in hand and the channel has not stopped, or a reset goes on
  output aieml_activity_t activity_o,
  output logic recovers_o,  // from a reset: a task would be lost, and waits
  output task_t task_o,
  output logic task_valid_o,
  output logic refused_o,
  input channel_view_t view_i,
  input logic resets_i,  // a reset is under way, though its bit may be 0 again
  input logic stuck_i,  // and does not end
  input logic task_done_i,
  input status_t done_status_i,  // of a transfer that is done
  input logic done_i,
  input logic [BytesWidth-1:0] done_bytes_i,
  input record_t record_i,
  input logic [4:0] record_level_i,
  output logic record_pop_o,
  // Its stream: a handshake of so many words, and who waits.
  input logic [5:0] words_i,
  input logic lock_error_i,
  input logic memory_waits_i,
  input logic stalled_i
);

  localparam bit Shim = Image == ImageShim;
  localparam logic [31:0] Writable = control_bits(Image, Receives);

  // A record with any of these stops the channel; an abort is wanted.
  localparam status_t StopOn = '{
      illegal: 1'b1,
      aborted: 1'b0,
      sparse_keep: 1'b1,
      partial_element: 1'b1,
      overlong: 1'b1,
      decerr: 1'b1,
      slverr: 1'b1
  };

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
  assign in_reset    = reset || resets_i;
  logic in_reset_q;
  always_ff @(posedge clk_i) in_reset_q <= !rst_ni || in_reset;
  assign recovers_o     = !reset && (in_reset || in_reset_q) && !stuck_i;
  assign pause_stream_o = Shim && control_q[2];

  always_comb begin
    setup_o                 = '0;
    setup_o.control.pause   = Shim && control_q[1];
    setup_o.control.reset   = reset;
    setup_o.control.stop_on = StopOn;
    setup_o.controller      = control_q[15:8];
    mode_o                  = '0;
    mode_o.receives         = Receives;
    mode_o.odd              = Odd;
    mode_o.finish           = Receives && finish_mode != '0;
    mode_o.counts           = Receives && finish_mode == 2'd3;
    mode_o.compresses       = !Shim && control_q[4];
    mode_o.by_header        = Receives && Staged && control_q[3];
  end

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
      tasks_q    <= tasks_q + 3'(task_valid_o) - 3'(task_done_i);
      overflow_q <= refused_o || (overflow_q && !(status_i && data_i[18]));
    end
  end

  // ---- Errors -----------------------------------------------------------------------------------

  logic slave_q, decode_q, memory_q, length_q, ended, bus_error;
  logic invalid, unavailable, no_lock;

  assign ended       = done_i && !done_status_i.aborted;
  assign bus_error   = done_status_i.slverr || done_status_i.decerr;
  assign unavailable = view_i.error == 6'(LoadUnavailable);
  assign no_lock     = view_i.error == 6'(LoadLock);
  assign invalid     = view_i.error != '0 && !unavailable && !no_lock;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || in_reset) begin
      {slave_q, decode_q, memory_q, length_q} <= '0;
    end else begin
      slave_q <= (ended && Shim && done_status_i.slverr) || (slave_q && !(status_i && data_i[17]));
      decode_q <= (ended && Shim && done_status_i.decerr) ||
          (decode_q && !(status_i && data_i[16]));
      memory_q <= memory_q || (ended && !Shim && bus_error);
      length_q <= length_q || (ended && done_status_i.overlong);
    end
  end

  // ---- Status -----------------------------------------------------------------------------------

  logic halted, active, engine, starting;

  assign halted   = view_i.halted || view_i.state.faulted;
  assign active   = tasks_q != '0 && !halted;
  assign engine   = !view_i.state.idle;
  assign active_o = active || (in_reset && engine);
  assign starting = view_i.waits == WaitLoad || view_i.waits == WaitLock || !engine;

  always_comb begin
    status_o        = '0;
    status_o[29:24] = view_i.descriptor[5:0];
    status_o[22:20] = waiting;
    status_o[19]    = active || waiting != '0;
    status_o[18]    = overflow_q;
    status_o[17]    = slave_q;
    status_o[16]    = decode_q;
    status_o[12]    = length_q;
    status_o[11]    = invalid;
    status_o[10]    = unavailable;
    status_o[9]     = memory_q;
    status_o[8]     = no_lock;
    status_o[5]     = view_i.waits == WaitToken || view_i.waits == WaitRecord;
    status_o[4]     = engine && stalled_i;
    status_o[3]     = view_i.waits == WaitRelease;
    status_o[2]     = view_i.waits == WaitLock && !engine;
    if (active) status_o[1:0] = starting && !engine && !status_o[5] ? 2'd1 : 2'd2;
  end

  // ---- Activity, for events -----------------------------------------------------------------------

  always_comb begin
    activity_o               = '0;
    activity_o.starts        = (tasks_q == '0 || task_done_i) && (tasks_q > 3'd1 || task_valid_o);
    activity_o.finished_bd   = ended;
    activity_o.finished_task = task_done_i;
    activity_o.lock          = status_o[2] || status_o[3];
    activity_o.on_stream     = status_o[4];
    activity_o.on_memory     = memory_waits_i;
    activity_o.fault         = halted;
    activity_o.token         = status_o[5];
    activity_o.lock_error    = lock_error_i;
  end

  // ---- Counts -----------------------------------------------------------------------------------

  logic stale_q;  // the records that wait are of before the reset
  always_ff @(posedge clk_i) stale_q <= rst_ni && (in_reset || (stale_q && record_level_i != '0));

  if (Receives) begin : gen_counts
    logic [17:0] taken_q, last_q;  // words of transfers that are not done; of the last one
    always_ff @(posedge clk_i) begin
      if (!rst_ni || in_reset) begin
        taken_q <= '0;
        last_q  <= '0;
      end else begin
        taken_q <= taken_q + 18'(words_i) - (done_i ? done_bytes_i[19:2] : '0);
        if (done_i) last_q <= done_bytes_i[19:2];
      end
    end
    assign count_o = {14'd0, engine && taken_q != '0 ? taken_q : last_q};
    assign fifo_o  = record_level_i == '0 || stale_q ? '0 :
        {1'b1, record_i.task_end, record_i.descriptor[5:0], 6'd0, record_i.bytes[19:2]};
  end else begin : gen_no_counts
    logic unused_counts;
    assign unused_counts = ^{words_i};
    assign count_o       = '0;
    assign fifo_o        = '0;
  end
  // Records that nobody counts are of transfers with errors; a reset drops those that wait.
  assign record_pop_o = record_level_i != '0 && (pop_i || !mode_o.counts || stale_q);

  logic unused_inputs;
  assign unused_inputs = ^{data_i, view_i, record_i, done_status_i, done_bytes_i};

  `TSR_ASSERT(TasksFit, !task_done_i || tasks_q != '0 || in_reset)

endmodule
