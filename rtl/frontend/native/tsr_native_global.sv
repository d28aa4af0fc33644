// The registers that concern the whole, the cycle counter and the interrupt line.
//
// Contract: as tsr_global_regs; `write_i` never comes with `refused_o`. `word_i` is `next_word_i` of the last cycle with
// `next_i`. `read_i` is high for one cycle with each read; a read of the low half of the cycle counter keeps the high half. `data_o` is 0 unless `read_i`.
// Latency: 0 cycles to read, 1 to write. Throughput: one access a cycle.
`include "tsr_assert.svh"
module tsr_native_global
  import tsr_register_pkg::*;
  import tsr_registers_pkg::*;
  import tsr_dma_pkg::*;
  import tsr_program_pkg::lock_report_t;
  import tsr_cause_pkg::*;
#(
  parameter  dma_config_t Config = DmaDefaults,
  localparam int unsigned Reads  = Config.Reads,
  localparam int unsigned Writes = Config.Writes,
  localparam int unsigned Ports  = Config.Ports
) (
  input logic clk_i,
  input logic rst_ni,
  input logic next_i,
  input global_word_e next_word_i,
  input global_word_e word_i,
  input logic write_i,
  input logic [31:0] data_i,
  output logic refused_o,  // a write of `word_i`; also if it is not there
  output logic absent_o,  // the build has no `word_i`
  input logic read_i,
  output logic [31:0] data_o,
  // Channels, the read channels first.
  input logic [Reads+Writes-1:0] irq_i,
  input logic [Reads+Writes-1:0] error_i,
  input lock_report_t locks_i,
  input global_state_t state_i,
  output global_orders_t orders_o
);

  localparam logic [31:0] Identity = 32'h54535241;

  global_given_t given;
  global_value_t value;
  global_pulse_t pulse;
  logic [31:0] data, high_q;
  logic [63:0] cycles_q;
  logic saturated, onchip_lost, irq_q, tick_q;
  global_global_irq_status_given_t causes;

  // A cause is that of the registers that tell of it.
  assign causes = '{
          quiet: state_i.rest.quiet,
          timed_out: state_i.rest.timed_out,
          start_refused: state_i.start_refused,
          misrouted: value.global_status.misrouted,
          stray: {value.global_status.read_stray, value.global_status.write_stray} != '0,
          packet: Config.ControlPackets && state_i.packet_errors != '0,
          saturated: saturated,
          lost: onchip_lost
      };

  always_comb begin
    given.id.id = Identity;
    {given.version.major, given.version.minor, given.version.patch} = RegistersVersion;
    given.cap_channels = '{
        reads: 5'(Reads),
        writes: 5'(Writes),
        ports: 5'(Ports),
        joined: 5'(Config.Loopback)
    };
    given.cap_bus = '{
        address: 7'(Config.AddrWidth),
        data_log2: 4'($clog2(Config.DataWidth / 8)),
        stream_log2: 4'($clog2(Config.StreamWidth / 8)),
        burst: 9'(longest_burst(Config.MaxBurst, Config.DataWidth)),
        flight_log2: 7'($clog2(Config.Outstanding))
    };
    given.cap_tasks = '{
        descriptors: 9'(Config.Descriptors),
        tasks_log2: 4'($clog2(Config.QueueDepth)),
        records_log2: 4'($clog2(Config.QueueDepth)),
        locks: 7'(Config.Locks)
    };
    given.cap_features = '{
        walk: Config.Walk,
        bounds: Config.Bounds,
        guard: Config.Guard != 0,
        counters: Config.Counters,
        from_list: Config.Lists,
        tokens: Config.Tokens,
        control_packets: Config.ControlPackets,
        packet_headers: Config.Side == 2,
        out_of_order: Config.Side == 2,
        dest_routing: Config.RouteDest,
        triggers: Config.Triggers,
        windows: Config.Windows != 0,
        windows_last: Config.Windows == 0 ? '0 : 4'(Config.Windows - 1),
        side: Config.Side != 0,
        control_headed: Config.ControlPackets,
        control_increments: Config.ControlPackets,
        onchip: Config.OnChipSize != 0
    };
    given.cap_place = '{row: Config.SourceId[4:0], column: Config.SourceId[11:5]};
    given.cap_onchip = '{
        kib: 13'(Config.OnChipSize),
        banks: 4'(Config.OnChipBanks),
        check: 2'(Config.OnChipCheck)
    };
    given.onchip_base.base = 31'(Config.OnChipBase);
    given.cap_time.silence = Silence;
    given.cap_stream_time.silence = stream_silence(Config.Guard);
    given.global_status = '{
        quiet: state_i.rest.quiet,
        timed_out: state_i.rest.timed_out,
        irq: orders_o.irq,
        start_refused: state_i.start_refused,
        misrouted: state_i.misrouted,
        read_stray: state_i.stray[0],
        write_stray: state_i.stray[1]
    };
    given.global_irq_status = causes;
    given.irq_channels = '{reads: 16'(irq_i[Reads-1:0]), writes: 16'(irq_i[Reads+:Writes])};
    given.err_channels = '{reads: 16'(error_i[Reads-1:0]), writes: 16'(error_i[Reads+:Writes])};
    given.cycles_low.cycles = cycles_q[31:0];
    given.cycles_high.cycles = high_q;
  end

  tsr_global_regs u_regs (
    .clk_i,
    .rst_ni,
    .word_i,
    .write_i,
    .data_i,
    .strobe_i   ('1),
    .read_word_i(word_i),
    .data_o     (data),
    .given_i    (given),
    .pulse_o    (pulse),
    .value_o    (value)
  );

  // A register of what the build does not have is not there.
  function automatic logic lacks(input global_word_e word);
    if (word >= GlobalPacketControl && word <= GlobalPacketStatus) return !Config.ControlPackets;
    if (word >= GlobalCapOnchip && word <= GlobalOnchipTest) return Config.OnChipSize == 0;
    case (word)
      GlobalFire:                              return !Config.Triggers;
      GlobalLockOverLow, GlobalLockUnderLow:   return Config.Locks == 0;
      GlobalLockOverHigh, GlobalLockUnderHigh: return Config.Locks <= 32;
      default:                                 return 1'b0;
    endcase
  endfunction

  logic [31:0] packet_data;
  // Looked up a cycle early.
  logic packet_locked, lacking, locked, fixed_q;
  assign lacking = lacks(next_word_i);
  assign locked  = global_locked(next_word_i, value.global_control.lock);
  always_ff @(posedge clk_i) begin
    if (next_i) begin
      fixed_q  <= !global_writable(next_word_i) || lacking || locked;
      absent_o <= !global_mapped(next_word_i) || lacking;
    end
  end
  assign refused_o = fixed_q || packet_locked;
  if (Config.ControlPackets) begin : gen_packets
    tsr_native_packets u_packets (
      .clk_i,
      .rst_ni,
      .word_i,
      .write_i,
      .data_i,
      .refused_o  (packet_locked),
      .read_word_i(word_i),
      .data_o     (packet_data),
      .setup_o    (orders_o.packets),
      .errors_i   (state_i.packet_errors),
      .clear_o    (orders_o.packet_clear)
    );
  end else begin : gen_no_packets
    assign packet_data    = '0;
    assign packet_locked  = 1'b0;
    assign {orders_o.packets, orders_o.packet_clear} = '0;
  end

  logic [31:0] onchip_data;
  if (Config.OnChipSize != 0) begin : gen_onchip
    tsr_native_onchip u_onchip (
      .clk_i,
      .rst_ni,
      .word_i,
      .write_i,
      .data_i,
      .data_o    (onchip_data),
      .freeze_i  (orders_o.freeze),
      .clear_i   (orders_o.clear),
      .event_i   (state_i.onchip),
      .injected_i(state_i.injected),
      .inject_o  (orders_o.inject),
      .lost_o    (onchip_lost)
    );
  end else begin : gen_no_onchip
    assign {onchip_data, orders_o.inject, onchip_lost} = '0;
  end

  logic [31:0] locks;
  tsr_native_locks #(
    .Locks(Config.Locks)
  ) u_locks (
    .clk_i,
    .rst_ni,
    .report_i   (locks_i),
    .word_i,
    .write_i,
    .data_i,
    .data_o     (locks),
    .saturated_o(saturated)
  );
  assign data_o = read_i ? data | locks | packet_data | onchip_data : '0;

  // Of 2^patience cycles one counts for time-outs.
  logic [14:0] between;
  assign between = cycles_q[14:0] & ~(15'h7fff << value.global_control.patience);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      cycles_q <= '0;
      high_q   <= '0;
      irq_q    <= 1'b0;
      tick_q   <= 1'b0;
    end else begin
      cycles_q <= cycles_q + 64'd1;
      if (read_i && word_i == GlobalCyclesLow) high_q <= cycles_q[63:32];
      irq_q <= value.global_control.irq_enable &&
          (irq_i != '0 || (causes & value.global_irq_enable) != '0);
      tick_q <= between == '0;
    end
  end
  assign orders_o.irq     = irq_q;
  assign orders_o.tick    = tick_q;
  assign orders_o.cycles  = cycles_q[31:0];
  assign orders_o.quiesce = value.global_control.quiesce;
  assign orders_o.freeze  = value.global_control.freeze;
  assign orders_o.clear   = pulse.global_control.clear;
  assign orders_o.trigger = pulse.fire.fire;

  logic unused_values;
  assign unused_values = ^{value.global_status, state_i};

  `TSR_STATIC_ASSERT(Ports, Ports >= 1 && Ports <= 16, ("Ports = %0d; legal is 1 to 16", Ports))

endmodule
