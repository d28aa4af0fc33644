// Control packets of two shapes, and counters, side by side.
module control_top
  import tsr_descriptor_pkg::*;
  import tsr_register_pkg::*;
(
  input  logic                   clk_i,
  input  logic                   rst_ni,
  // Control packets: 0 with stream headers; 1 without, and words of operation 0 go to one address.
  input  logic                   enable_i,
  input  logic                   check_last_i,
  input  logic      [31:0]       first_i,           // byte addresses
  input  logic      [31:0]       last_i,
  output logic      [ 1:0][ 3:0] errors_o,
  input  logic      [ 3:0]       clear_i,
  input  logic      [ 1:0][31:0] tdata_i,
  input  logic      [ 1:0]       tlast_i,
  input  logic      [ 1:0]       tvalid_i,
  output logic      [ 1:0]       tready_o,
  output logic      [ 1:0][31:0] tdata_o,
  output logic      [ 1:0]       tlast_o,
  output logic      [ 1:0]       tvalid_o,
  input  logic      [ 1:0]       tready_i,
  output logic      [ 1:0]       bus_write_o,
  output logic      [ 1:0][31:0] bus_address_o,
  output logic      [ 1:0][31:0] bus_data_o,
  output logic      [ 1:0]       bus_valid_o,
  input  logic      [ 1:0]       bus_ready_i,
  input  logic      [ 1:0]       bus_error_i,
  input  logic      [ 1:0][31:0] bus_data_i,
  // Counters.
  input  logic                   freeze_i,
  input  logic                   counters_clear_i,
  input  logic      [31:0]       cycles_i,
  input  logic      [31:0]       limit_i,
  input  logic      [ 8:0]       happens_i,         // in the order of the registers
  input  logic      [ 7:0]       bytes_i,
  output counters_t              counters_o,        // by register
  output logic                   off_o              // a counter that is left out is not 0
);

  localparam bit Flags[2] = '{1'b1, 1'b0};
  for (genvar i = 0; i < 2; i++) begin : gen_packets
    bus_request_t request;
    bus_answer_t  answer;
    assign answer = '{error: bus_error_i[i], data: bus_data_i[i]};
    tsr_control_packets #(
      .Headed         (Flags[i]),
      .WriteIncrements(Flags[i])
    ) u_dut (
      .clk_i,
      .rst_ni,
      .enable_i,
      .check_last_i,
      .column_i   (7'd3),
      .row_i      (5'd2),
      .first_i    (first_i[19:2]),
      .last_i     (last_i[19:2]),
      .errors_o   (errors_o[i]),
      .clear_i,
      .tdata_i    (tdata_i[i]),
      .tlast_i    (tlast_i[i]),
      .tvalid_i   (tvalid_i[i]),
      .tready_o   (tready_o[i]),
      .tdata_o    (tdata_o[i]),
      .tlast_o    (tlast_o[i]),
      .tvalid_o   (tvalid_o[i]),
      .tready_i   (tready_i[i]),
      .bus_o      (request),
      .bus_valid_o(bus_valid_o[i]),
      .bus_ready_i(bus_ready_i[i]),
      .bus_i      (answer)
    );
    assign bus_write_o[i]   = request.write;
    assign bus_address_o[i] = 32'({request.word, 2'b00});
    assign bus_data_o[i]    = request.data;
  end

  counter_events_t events;
  counters_t counters, off;
  always_comb begin
    events                                 = '0;
    events[CounterBeats:CounterBusy]       = happens_i[5:0];
    events[CounterTransfers:CounterBursts] = happens_i[8:6];
  end
  tsr_counters u_counters (
    .clk_i,
    .rst_ni,
    .freeze_i,
    .clear_i   (counters_clear_i),
    .cycles_i,
    .limit_i,
    .events_i  (events),
    .bytes_i,
    .counters_o(counters)
  );
  tsr_counters #(
    .Enable(1'b0)
  ) u_off (
    .clk_i,
    .rst_ni,
    .freeze_i,
    .clear_i   (counters_clear_i),
    .cycles_i,
    .limit_i,
    .events_i  (events),
    .bytes_i,
    .counters_o(off)
  );
  assign counters_o = counters;
  assign off_o      = off != '0;

endmodule
