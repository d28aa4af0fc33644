// The registers of one channel of a kernel: its options, what became of its run, the way to its RAM.
//
// Contract: `write_i` and `read_i` are accesses of `word_i`, made while `ready_o`. `refused_o`: a
// write of a word that cannot be written, or during a run and in the cycle that starts it.
// `absent_o`: there is no such word, or it is the data of a RAM that cannot be reached.
// Latency: 0 cycles to read, 1 to write. Throughput: one access a cycle.
`include "tsr_assert.svh"
module tsr_mover_channel_options
  import tsr_fabric_pkg::*;
  import tsr_mover_pkg::*;
  import tsr_mover_registers_pkg::*;
(
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  mover_channel_word_e        word_i,
  input  logic                       write_i,
  input  logic                       read_i,
  input  logic                [31:0] data_i,
  input  logic                [ 3:0] strobe_i,
  output logic                       ready_o,
  output logic                       refused_o,
  output logic                       absent_o,
  output logic                [31:0] data_o,
  input  logic                       running_i,   // or starts
  output mover_last_e                last_o,
  output logic                       patterns_o,
  output window_t                    window_o,
  output mover_ram_req_t             ram_o,
  input  mover_ram_rsp_t             ram_i,
  input  mover_view_t                view_i,
  input  mover_check_t               check_i
);

  mover_channel_given_t given;
  mover_channel_value_t value;
  logic [31:0] data;
  logic place, contents;

  assign refused_o = !mover_channel_writable(word_i) || running_i;
  assign absent_o  = !mover_channel_mapped(word_i) || (contents && (running_i || !ram_i.there));
  assign place     = word_i == MoverChannelRamPlace;
  assign contents  = word_i == MoverChannelRamData;
  assign ready_o   = !contents || running_i || ram_i.ready;

  tsr_mover_channel_regs u_regs (
    .clk_i,
    .rst_ni,
    .word_i,
    .write_i    (write_i && !refused_o),
    .data_i,
    .strobe_i,
    .read_word_i(word_i),
    .data_o     (data),
    .given_i    (given),
    .value_o    (value)
  );

  always_comb begin
    given.status                  = '{error: view_i.error, busy: view_i.busy};
    given.error_index.index       = view_i.index;
    given.error_addr_low.address  = view_i.addr[31:0];
    given.error_addr_high.address = view_i.addr[63:32];
    given.count.count             = view_i.count;
    given.bytes_low.bytes         = view_i.bytes[31:0];
    given.bytes_high.bytes        = view_i.bytes[47:32];
    given.begun_low.cycle         = view_i.first[31:0];
    given.begun_high.cycle        = view_i.first[47:32];
    given.ended_low.cycle         = view_i.ended[31:0];
    given.ended_high.cycle        = view_i.ended[47:32];
    given.mismatches.count        = check_i.mismatches;
    given.mismatch_low.place      = check_i.first[31:0];
    given.mismatch_high.place     = check_i.first[63:32];
    given.result.pass             = check_i.pass;
  end

  always_comb begin
    data_o = data;
    if (place) data_o = 32'(ram_i.place);
    if (contents && !absent_o) data_o = ram_i.data;
    ram_o = '{
        running: running_i,
        seek: write_i && place && !refused_o,
        write: write_i && contents && strobe_i != '0 && !absent_o,
        read: read_i && contents && !absent_o,
        strobe: strobe_i,
        data: data_i
    };
  end

  assign last_o = mover_last_e'(value.options.last);
  assign patterns_o = value.options.patterns;
  assign window_o = '{
          first: {value.first_high.page, value.first_low.page},
          last: {value.last_high.page, value.last_low.page},
          read: 1'b1,
          write: 1'b1,
          lock: 1'b0
      };

  `TSR_ASSERT_NEXT(OptionsStay, running_i, last_o == $past(last_o) && patterns_o == $past
                   (patterns_o))

endmodule
