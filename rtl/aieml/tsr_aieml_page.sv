// The registers that the originals do not have: where memory is, what was refused, interrupts, resets.
//
// Contract: as page_word_e says; words that are not named there read 0, and writes to them are ignored.
// `Windows` and `Place` are what stands there after reset. An event in the cycle in which its bit is cleared
// stays.
// Latency: 0 cycles to read, 1 to write. Throughput: one access a cycle.
`include "tsr_assert.svh"
module tsr_aieml_page
  import tsr_channel_pkg::*;
  import tsr_aieml_pkg::*;
#(
  parameter int unsigned Image = ImageMemory,
  parameter int unsigned StreamWidth = 32,
  parameter int unsigned DataWidth = 128,
  parameter int unsigned Align = 19,  // low bits of a window's base that are 0
  parameter aieml_window_t [2:0] Windows = '0,  // after reset: west, local, east from bit 0 up
  parameter aieml_place_t Place = '0,
  localparam image_t Tile = image_of(Image),
  localparam int unsigned N = Tile.Channels,
  localparam int unsigned Channels = 2 * N
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic          [         6:0] word_i,
  input  logic                         write_i,
  input  logic          [        31:0] data_i,
  input  logic          [         6:0] read_word_i,
  output logic          [        31:0] data_o,
  // What happens: one cycle each.
  input  page_errors_t                 errors_i,
  input  logic          [        19:0] address_i,     // with an error
  input  logic          [Channels-1:0] task_done_i,
  input  logic          [Channels-1:0] refused_i,     // a task
  input  logic          [Channels-1:0] fault_i,       // level: it has stopped
  input  page_channel_t                channel_i,     // of the word that is read
  // What is set.
  output aieml_window_t [         2:0] window_o,
  output aieml_place_t                 place_o,
  output logic          [Channels-1:0] reset_o,
  output logic                         packets_o,
  output logic                         check_last_o,
  output logic                         irq_o
);

  localparam int unsigned First = Image == ImageMemory ? 0 : 1;  // window
  localparam int unsigned Last = Image == ImageMemory ? 2 : Image == ImageShim ? 0 : 1;
  localparam logic [31:0] LowMask = 32'(64'hffff_ffff << Align) | 32'd1;
  localparam logic [31:0] Build = {4'd0, 12'(StreamWidth), 12'(DataWidth), 4'(N)};

  // From channels to bits of the page.
  function automatic logic [31:0] bits_of(input logic [Channels-1:0] set);
    bits_of        = '0;
    bits_of[16+:N] = set[N-1:0];
    bits_of[N-1:0] = set[Channels-1:N];
  endfunction
  function automatic logic [Channels-1:0] channels_of(input logic [31:0] bits);
    logic unused_rest;
    unused_rest = ^bits;
    return {bits[N-1:0], bits[16+:N]};
  endfunction

  logic [2:0][63:0] window_q;
  aieml_place_t place_q;
  page_errors_t errors_q;
  logic [19:0] address_q;
  logic [31:0] reset_q, tasks_q, faults_q, tasks_mask_q, faults_mask_q;
  logic [1:0] packets_q;
  logic [Channels-1:0] fault_q;

  function automatic logic [31:0] cleared(input page_word_e word, input logic writes,
                                          input logic [6:0] at, input logic [31:0] data);
    return writes && at == word ? ~data : '1;
  endfunction

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      for (int unsigned w = 0; w < 3; w++) begin
        window_q[w] <= {Windows[w].base, 11'd0, Windows[w].present};
      end
      place_q       <= Place;
      errors_q      <= '0;
      address_q     <= '0;
      reset_q       <= '0;
      packets_q     <= 2'b11;
      tasks_q       <= '0;
      faults_q      <= '0;
      tasks_mask_q  <= '0;
      faults_mask_q <= '0;
      fault_q       <= '0;
    end else begin
      fault_q <= fault_i;
      errors_q <= errors_i | (errors_q & page_errors_t'(cleared(
          PageErrors, write_i, word_i, data_i
      )));
      if (errors_i != '0 && errors_q == '0) address_q <= address_i;
      tasks_q <= bits_of(task_done_i) | (tasks_q & cleared(PageTasks, write_i, word_i, data_i));
      faults_q <= bits_of(
          refused_i | (fault_i & ~fault_q)
      ) | (faults_q & cleared(
          PageFaults, write_i, word_i, data_i
      ));
      if (write_i) begin
        for (int unsigned w = First; w <= Last; w++) begin
          if (word_i == PageWest + 7'(2 * w)) window_q[w][31:0] <= data_i & LowMask;
          if (word_i == PageWest + 7'(2 * w + 1)) window_q[w][63:32] <= data_i;
        end
        if (word_i == PagePlace) place_q <= data_i[27:16];
        if (word_i == PageReset) reset_q <= bits_of(channels_of(data_i));
        if (word_i == PagePackets) packets_q <= data_i[1:0];
        if (word_i == PageTasksMask) tasks_mask_q <= bits_of(channels_of(data_i));
        if (word_i == PageFaultsMask) faults_mask_q <= bits_of(channels_of(data_i));
      end
    end
  end

  for (genvar w = 0; w < 3; w++) begin : gen_window
    assign window_o[w] = '{base: window_q[w][63:12], present: window_q[w][0]};
  end
  assign place_o = place_q;
  assign reset_o = channels_of(reset_q);
  assign {check_last_o, packets_o} = packets_q;
  assign irq_o = (tasks_q & tasks_mask_q) != '0 || (faults_q & faults_mask_q) != '0;

  always_comb begin
    data_o = '0;
    case (read_word_i)
      PageId:         data_o = PageMagic | Image;
      PageBuild:      data_o = Build;
      PageErrors:     data_o = 32'(errors_q);
      PageAddress:    data_o = 32'(address_q);
      PagePlace:      data_o = {4'd0, place_q, 16'd0};
      PageReset:      data_o = reset_q;
      PagePackets:    data_o = 32'(packets_q);
      PageTasks:      data_o = tasks_q;
      PageFaults:     data_o = faults_q;
      PageTasksMask:  data_o = tasks_mask_q;
      PageFaultsMask: data_o = faults_mask_q;
      default:        data_o = '0;
    endcase
    for (int unsigned w = First; w <= Last; w++) begin
      if (read_word_i == PageWest + 7'(2 * w)) data_o = window_q[w][31:0];
      if (read_word_i == PageWest + 7'(2 * w + 1)) data_o = window_q[w][63:32];
    end
    if (read_word_i[6:5] == 2'b01 && 32'(read_word_i[3:0]) < N) data_o = channel_i;
  end

  logic unused_bits;
  assign unused_bits = ^{window_q, word_i};

  `TSR_STATIC_ASSERT(Align, Align >= 12 && Align <= 31, ("Align = %0d; legal is 12 to 31", Align))

endmodule
