// Registers of tessera_dma: decodes accesses of the register bus and joins what holds the registers.
//
// Contract: arrays over channels hold the read channels first, then the write channels. A request stays until
// `ready_o`, and `answer_o` counts in that cycle. A task that is refused sets ERROR.task_refused. Accesses wait until
// the memories were cleared after reset. Registers of the whole and of channels are written with all four bytes.
// The address map is in registers/.
// Latency: a write 1 cycle, of TASK 2, of ERROR and interrupts 3, a read 3 or 4; locks, descriptors and extensions as
// long as they take. Throughput: a write in two cycles, a read in four or five.
`include "tsr_assert.svh"
module tsr_dma_registers
  import tsr_descriptor_pkg::*;
  import tsr_fabric_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_register_pkg::*;
  import tsr_registers_pkg::*;
  import tsr_program_pkg::*;
  import tsr_cause_pkg::*;
  import tsr_dma_pkg::*;
#(
  parameter  dma_config_t Config   = DmaDefaults,
  localparam int unsigned Reads    = Config.Reads,
  localparam int unsigned Ports    = Config.Ports,
  localparam int unsigned Channels = Reads + Config.Writes
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  // The register bus.
  input  bus_request_t                    request_i,
  input  logic                            valid_i,
  output logic                            ready_o,
  output bus_answer_t                     answer_o,
  // Sequencer and preparation.
  output program_request_t                program_o,
  input  program_answer_t                 program_i,
  input  report_t                         report_i,
  input  channel_levels_t  [Channels-1:0] levels_i,
  // Channels.
  input  port_view_t       [Channels-1:0] port_i,
  input  logic             [Channels-1:0] missed_i,
  output logic             [Channels-1:0] missed_clear_o,
  output channel_orders_t  [Channels-1:0] orders_o,
  output logic             [Channels-1:0] irq_channel_o,
  // Settings by the number of a channel.
  input  channel_t                        end_channel_i,
  output logic             [         6:0] stop_on_o,
  input  channel_t         [   2*Ports:0] attr_channel_i,  // reads, writes, lists
  output axi_attr_t        [   2*Ports:0] attr_o,
  output logic             [         7:0] controller_o,
  // Registers of channels that others hold.
  output outer_request_t                  outer_o,
  input  outer_answer_t                   outer_i,
  // The whole.
  output global_orders_t                  global_o,
  input  global_state_t                   global_i
);

  // ---- The access -------------------------------------------------------------------------------

  sweep_t sweep;
  bus_request_t request;
  region_t region;
  kind_t kind;
  channel_t channel;
  logic [1:0] sweep_part;
  logic [2:0] step;
  logic valid, write, sets, read, act, done;
  tsr_native_access #(
    .Config(Config)
  ) u_access (
    .clk_i,
    .rst_ni,
    .sweep_o     (sweep),
    .sweep_part_o(sweep_part),
    .request_i,
    .valid_i,
    .ready_i     (ready_o),
    .request_o   (request),
    .valid_o     (valid),
    .step_o      (step),
    .region_o    (region),
    .channel_o   (channel),
    .kind_o      (kind)
  );
  // The view of a channel comes in the third cycle, words of its record in the fourth; a read acts from its
  // second cycle on. `sets` writes a register; a write of no byte does nothing.
  assign write = valid && request.write;
  assign sets  = valid && kind.sets;
  assign read  = valid && !request.write && step[0];
  assign act   = write || read;

  // ---- The whole --------------------------------------------------------------------------------

  logic [31:0] global_data;
  logic global_refused, global_absent;
  logic [Channels-1:0] errors;
  tsr_native_global #(
    .Config(Config)
  ) u_global (
    .clk_i,
    .rst_ni,
    .next_i     (!valid),
    .next_word_i(global_word_e'(request_i.word[7:2])),
    .word_i     (global_word_e'(request.word[7:2])),
    .write_i    (sets && region.globals && !global_refused),
    .data_i     (request.data),
    .refused_o  (global_refused),
    .absent_o   (global_absent),
    .read_i     (read && step[1] && region.globals),
    .data_o     (global_data),
    .irq_i      (irq_channel_o),
    .error_i    (errors),
    .locks_i    (report_i.locks),
    .state_i    (global_i),
    .orders_o   (global_o)
  );

  // ---- Channels ---------------------------------------------------------------------------------

  channel_access_t access;
  logic [31:0] setting_data, channel_data, tag;
  logic setting_refused, ordered, channel_ready, channel_error;
  logic [Channels-1:0] works;
  assign access = '{
          channel: channel,
          word: channel_word_e'({1'b0, request.word[6:2]}),
          write: request.write,
          data: request.data
      };
  tsr_channel_settings #(
    .Channels(Channels),
    .Ports   (2 * Ports + 1),
    .Triggers(Config.Triggers)
  ) u_settings (
    .clk_i,
    .rst_ni,
    .sweep_i     (sweep),
    .sweep_part_i(sweep_part),
    .access_i    (access),
    .write_i     (sets && region.channel),
    .refused_o   (setting_refused),
    .ordered_o   (ordered),
    .data_o      (setting_data),
    .works_i     (works),
    .orders_o,
    .tag_o       (tag),
    .end_channel_i,
    .stop_on_o,
    .attr_channel_i,
    .attr_o,
    .controller_o
  );

  program_request_t channel_program;
  tsr_native_channels #(
    .Config(Config)
  ) u_channels (
    .clk_i,
    .rst_ni,
    .sweep_i  (sweep),
    .time_i   (global_o.cycles[8:4]),
    .access_i (access),
    .kind_i   (kind),
    .valid_i  (valid && region.channel),
    .step_i   (step),
    .ready_o  (channel_ready),
    .error_o  (channel_error),
    .data_o   (channel_data),
    .tag_i    (tag),
    .program_o(channel_program),
    .program_i,
    .report_i,
    .orders_i (orders_o),
    .ordered_i(ordered),
    .levels_i,
    .port_i,
    .missed_i,
    .missed_clear_o,
    .works_o  (works),
    .errors_o (errors),
    .irq_o    (irq_channel_o)
  );

  // ---- Others -----------------------------------------------------------------------------------

  logic locks, locks_q, lock_write;
  assign lock_write = write && request.strobe[0];
  assign locks      = (region.count_lock && (lock_write || (read && !request.word[2]))) ||
      (region.try_lock && read);
  // An access comes to the locks a cycle late: from there it is a long way to the launch.
  always_ff @(posedge clk_i) locks_q <= rst_ni && locks && !ready_o;
  always_comb begin
    program_o = channel_program;
    program_o.sequencer.lock_valid = locks_q;
    program_o.sequencer.lock.command = region.try_lock ? LockTry : LockRead;
    program_o.sequencer.lock.op.id = region.try_lock ? request.word[14:9] : request.word[9:4];
    if (region.try_lock) program_o.sequencer.lock.op.value = lock_amount_t'(request.word[8:2]);
    else if (write) program_o.sequencer.lock.op.value = lock_amount_t'(request.data[6:0]);
    if (write) program_o.sequencer.lock.command = request.word[2] ? LockRelease : LockSet;
    program_o.access_valid      = act && region.memory;
    program_o.access.write      = request.write;
    program_o.access.area       = descriptor_area_e'(request.word[15:14]);
    program_o.access.descriptor = request.word[13:6];
    program_o.access.word       = request.word[5:2];
    program_o.access.data       = request.data;
    program_o.access.strobe     = request.strobe;
    if (program_o.access.area == AreaTurns) begin
      program_o.access.descriptor = request.word[9:2];
      program_o.access.word       = '0;
    end
  end

  assign outer_o = '{
          windows: act && region.window,
          counters: act && region.counters,
          lists: act && region.lists,
          channel: channel,
          bus: request
      };

  // ---- The answer -------------------------------------------------------------------------------

  logic write_error, read_error, outer;
  assign outer = region.window || region.counters || region.lists;
  always_comb begin
    done = write || step[1];
    if (region.channel) done = channel_ready;
    if (locks) done = locks_q && program_i.sequencer.lock_ready;
    if (region.memory) done = program_i.access_ready;
    if (outer) done = outer_i.ready;
    ready_o = act && done;

    write_error = (region.globals && (kind.partial || global_refused)) ||
        (region.channel && (kind.partial || !kind.writable || setting_refused)) ||
        (region.count_lock && !request.strobe[0]) || region.try_lock;
    read_error = (region.globals && global_absent) || (region.channel && !kind.present);
    answer_o.error = region == '0 || (write ? write_error : read_error) || channel_error ||
        (region.memory && program_i.access_error) || outer_i.error;
    // Words are 0 where another one is read, or may show anything with an error.
    answer_o.data = global_data | channel_data | outer_i.data;
    if (region.channel) answer_o.data |= setting_data;
    if (region.memory && !program_i.access_error) answer_o.data |= program_i.access_data;
    if (region.count_lock && !request.word[2]) answer_o.data |= 32'(program_i.sequencer.lock.value);
    if (region.try_lock) answer_o.data |= 32'(program_i.sequencer.lock.granted);
  end

  logic unused_bits;
  assign unused_bits = ^{request.word, kind};

  `TSR_STABLE(LockStays, program_o.sequencer.lock_valid, program_i.sequencer.lock_ready,
              program_o.sequencer.lock)
  `TSR_STABLE(OuterStays, outer_o.windows || outer_o.counters || outer_o.lists, outer_i.ready,
              outer_o.bus.word)

endmodule
