// The registers of a kernel: start, arguments, options and results of all channels.
//
// Contract: accesses by the internal register bus, answered at once; one behind an access of a RAM may wait
// for a cycle. Below BuildWord no access is refused. `run_o`, for one cycle, starts all channels, which show `busy`
// from the next cycle on; the kernel is done when none does. `cycle_o` counts from that start to the end.
// Latency: 0 cycles to the answer, behind an access of a RAM up to 1; from the last channel's end to the
// interrupt line 3. Throughput: an access a cycle.
`include "tsr_assert.svh"
module tsr_mover_control
  import tsr_fabric_pkg::*;
  import tsr_register_pkg::*;
  import tsr_mover_pkg::*;
  import tsr_mover_registers_pkg::*;
#(
  parameter  int unsigned Reads        = 1,
  parameter  int unsigned Writes       = 1,
  parameter  kernel_e     Kind         = KernelMover,
  parameter  int unsigned DataWidth    = 64,
  parameter  int unsigned StreamWidth  = 64,
  parameter  int unsigned ElementBytes = 8,
  parameter  bit          Patterns     = 1'b0,
  parameter  bit          BaseFirst    = 1'b0,
  parameter  int unsigned Depth        = 0,              // of a ROM or RAM, in beats
  localparam int unsigned Channels     = Reads + Writes
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  bus_request_t                    request_i,
  input  logic                            valid_i,
  output logic                            ready_o,
  output bus_answer_t                     answer_o,
  output logic                            run_o,
  output logic           [CycleWidth-1:0] cycle_o,
  output mover_setup_t   [  Channels-1:0] setup_o,
  input  mover_view_t    [  Channels-1:0] view_i,
  input  mover_check_t   [  Channels-1:0] check_i,
  input  mover_ram_rsp_t [  Channels-1:0] ram_i,
  output logic                            irq_o
);

  localparam logic [31:0] Identity = 32'h5453524d;
  localparam int unsigned WordBits = MoverBits - 2;
  localparam int unsigned Arguments = 2;  // of a channel
  localparam logic [WordBits-1:0] FirstArgument = WordBits'('h10 / 4);
  localparam logic [WordBits-1:0] BuildWord = WordBits'('hf00 / 4);

  `TSR_STATIC_ASSERT(Channels, Channels >= 1 && Reads <= MoverChannels && Writes <= MoverChannels,
                     ("Reads = %0d; legal is 0 to 16, with Writes at least 1", Reads))

  logic [WordBits-1:0] word;
  logic beyond, write, read, control, argument, build, channels, exists;
  logic running, done;
  assign word     = request_i.word[WordBits+1:2];
  assign beyond   = request_i.word[BusBits-1:WordBits+2] != '0;
  assign channels = word[WordBits-1];
  assign build    = !channels && word >= BuildWord;
  assign control  = word < FirstArgument;
  assign argument = !channels && !build && !control;
  assign write    = valid_i && ready_o && request_i.write && !beyond;
  assign read     = valid_i && ready_o && !request_i.write && !beyond;

  // ---- Start and arguments ----------------------------------------------------------------------

  logic [31:0] control_data, argument_data, build_data;

  tsr_mover_start u_start (
    .clk_i,
    .rst_ni,
    .word_i   (mover_control_word_e'({4'd0, word[1:0]})),
    .write_i  (write && control),
    .read_i   (read && control),
    .data_i   (request_i.data),
    .strobe_i (request_i.strobe),
    .data_o   (control_data),
    .run_o,
    .running_o(running),
    .done_i   (done),
    .irq_o
  );

  logic [Channels-1:0][Arguments-1:0][63:0] values;

  tsr_mover_arguments #(
    .Count   (Channels * Arguments),
    .WordBits(WordBits)
  ) u_arguments (
    .clk_i,
    .rst_ni,
    .word_i  (word - FirstArgument),
    .write_i (write && argument),
    .data_i  (request_i.data),
    .strobe_i(request_i.strobe),
    .data_o  (argument_data),
    .value_o (values)
  );

  logic [Channels-1:0] busy, failed;
  always_comb begin
    for (int unsigned c = 0; c < Channels; c++) begin
      busy[c]   = view_i[c].busy;
      failed[c] = view_i[c].error != MoverOk;
    end
  end
  assign done = running && busy == '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || run_o) cycle_o <= '0;
    else if (running) cycle_o <= cycle_o + 1'b1;
  end

  // ---- Channels ---------------------------------------------------------------------------------

  mover_channel_word_e channel_word;
  logic [4:0] number;
  logic [Channels-1:0] here, waits, refused, absent;
  logic [Channels-1:0][31:0] channel_data;
  assign channel_word = mover_channel_word_e'({1'b0, word[4:0]});
  assign number       = word[9:5];
  assign exists       = channels && here != '0;
  assign ready_o      = (here & waits) == '0;
  for (genvar c = 0; c < Channels; c++) begin : gen_channel
    logic ready;
    assign here[c] = 32'(number) == c;
    assign waits[c] = !ready;
    assign setup_o[c].list_addr = values[c][BaseFirst];
    assign setup_o[c].base_addr = values[c][!BaseFirst];
    tsr_mover_channel_options u_options (
      .clk_i,
      .rst_ni,
      .word_i    (channel_word),
      .write_i   (write && channels && here[c]),
      .read_i    (read && channels && here[c]),
      .data_i    (request_i.data),
      .strobe_i  (request_i.strobe),
      .ready_o   (ready),
      .refused_o (refused[c]),
      .absent_o  (absent[c]),
      .data_o    (channel_data[c]),
      .running_i (running || run_o),
      .last_o    (setup_o[c].last),
      .patterns_o(setup_o[c].patterns),
      .window_o  (setup_o[c].window),
      .ram_o     (setup_o[c].ram),
      .ram_i     (ram_i[c]),
      .view_i    (view_i[c]),
      .check_i   (check_i[c])
    );
  end

  // ---- The build --------------------------------------------------------------------------------

  mover_build_word_e  build_word;
  mover_build_given_t given;
  assign build_word = mover_build_word_e'(word[5:0]);
  always_comb begin
    given.id.id = Identity;
    {given.version.major, given.version.minor, given.version.patch} = MoverVersion;
    given.capabilities = '{
        reads: 5'(Reads),
        writes: 5'(Writes),
        arguments: 2'(Arguments),
        kind: Kind,
        data_log2: 4'($clog2(DataWidth / 8)),
        stream_log2: 4'($clog2(StreamWidth / 8)),
        element_log2: 4'($clog2(ElementBytes)),
        patterns: Patterns,
        base_first: BaseFirst
    };
    given.depth.beats = 17'(Depth);
    given.errors.channels = 32'(failed);
    given.cycles_low.cycles = cycle_o[31:0];
    given.cycles_high.cycles = cycle_o[CycleWidth-1:32];
  end

  tsr_mover_build_regs u_build (
    .read_word_i(build_word),
    .data_o     (build_data),
    .given_i    (given)
  );

  // ---- The answer -------------------------------------------------------------------------------

  always_comb begin
    answer_o = '0;
    if (beyond) answer_o.error = 1'b1;
    else if (control) answer_o.data = control_data;
    else if (argument) answer_o.data = argument_data;
    else if (build) begin
      answer_o.data  = build_data;
      answer_o.error = request_i.write || !mover_build_mapped(build_word);
    end else if (!exists) begin
      answer_o.error = 1'b1;
    end else begin
      answer_o.error = (here & (request_i.write ? refused | absent : absent)) != '0;
      for (int unsigned c = 0; c < Channels; c++) begin
        if (here[c]) answer_o.data = answer_o.data | channel_data[c];
      end
    end
  end

endmodule
