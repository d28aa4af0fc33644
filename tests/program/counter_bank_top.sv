// Banks of counters in several shapes side by side; tests/program/counter_bank_test.cpp has the same list.
module counter_bank_top
  import tsr_fabric_pkg::*;
  import tsr_register_pkg::*;
#(
  localparam int unsigned Cells = 3
) (
  input  logic [Cells-1:0]       clk_i,             // of each: who is not tested stands still
  input  logic                   rst_ni,
  input  logic                   freeze_i,
  input  logic                   clear_i,
  input  logic [     31:0]       cycles_i,
  // Of each channel
  input  logic [     31:0]       busy_i,
  input  logic [     31:0]       running_i,
  input  logic [     31:0]       lock_i,
  input  logic [     31:0]       transfer_i,
  input  logic [     31:0]       burst_i,
  input  logic [     31:0]       blocked_i,
  input  logic [     31:0]       stream_valid_i,
  input  logic [     31:0]       stream_ready_i,
  input  logic [     31:0]       stream_last_i,
  input  logic [      7:0]       stream_bytes_i,
  input  logic                   access_valid_i,
  input  logic [      4:0]       access_channel_i,
  input  logic [      3:0]       access_word_i,
  input  logic                   access_write_i,
  input  logic [     31:0]       access_data_i,
  input  logic [      3:0]       access_strobe_i,
  output logic [Cells-1:0]       access_ready_o,
  output logic [Cells-1:0]       access_error_o,
  output logic [Cells-1:0][31:0] access_data_o
);

  localparam int unsigned Reads[Cells] = '{1, 2, 16};
  localparam int unsigned Writes[Cells] = '{1, 1, 16};

  activity_t [31:0] activity;
  stream_events_t [31:0] stream;
  bus_events_t [31:0] bus;
  for (genvar c = 0; c < 32; c++) begin : gen_channel
    assign activity[c] = '{
            busy: busy_i[c],
            running: running_i[c],
            lock: lock_i[c],
            transfer: transfer_i[c]
        };
    assign stream[c] = '{
            valid: stream_valid_i[c],
            ready: stream_ready_i[c],
            last: stream_last_i[c],
            bytes: stream_bytes_i
        };
    assign bus[c] = '{burst: burst_i[c], blocked: blocked_i[c]};
  end

  for (genvar i = 0; i < Cells; i++) begin : gen_cell
    localparam int unsigned Channels = Reads[i] + Writes[i];
    bus_answer_t answer;
    tsr_counter_bank #(
      .Reads (Reads[i]),
      .Writes(Writes[i])
    ) u_dut (
      .clk_i(clk_i[i]),
      .rst_ni,
      .request_i(
      '{
          write: access_write_i,
          word: 18'(access_word_i),
          data: access_data_i,
          strobe: access_strobe_i
      }
      ),
      .valid_i(access_valid_i),
      .channel_i(access_channel_i),
      .ready_o(access_ready_o[i]),
      .answer_o(answer),
      .freeze_i,
      .clear_i,
      .cycles_i,
      .activity_i(activity[Channels-1:0]),
      .stream_i(stream[Channels-1:0]),
      .bus_i(bus[Channels-1:0])
    );
    assign access_error_o[i] = answer.error;
    assign access_data_o[i]  = answer.data;
  end

endmodule
