// Windows of the lists: whether a channel may read or write a page.
//
// Contract. A check that has begun stays until `ready_o`, though `valid_i` may pause; `permitted_o` belongs to it. Registers of windows: as
// tsr_port_windows. The windows of a channel count for its transfers and for its list: each write of
// a register goes to both.
// Latency: 2 cycles for the window of the check before, else 7 more for each window looked at; with
// Windows = 0 none.
`include "tsr_assert.svh"
module tsr_list_permit
  import tsr_fabric_pkg::PageBits;
  import tsr_port_pkg::*;
  import tsr_list_unit_pkg::*;
#(
  parameter int unsigned Channels = 2,  // 1..32
  parameter int unsigned Windows  = 0   // of a channel, 0 .. 16
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  window_request_t  request_i,
  output window_response_t response_o,
  input  list_check_t      check_i,
  input  logic             valid_i,
  output logic             ready_o,
  output logic             permitted_o
);

  logic loaded_q, load, refused;
  assign load    = Windows != 0 && valid_i && !loaded_q;
  assign ready_o = Windows == 0 || (loaded_q && (permitted_o || refused));
  always_ff @(posedge clk_i) loaded_q <= rst_ni && (load || (loaded_q && !ready_o));

  tsr_port_windows #(
    .Channels(Channels),
    .Windows (Windows)
  ) u_windows (
    .clk_i,
    .rst_ni,
    .request_i,
    .response_o,
    .write_i       (check_i.write),
    .channel_i     (check_i.channel),
    .page_i        (check_i.page),
    .first_i       (1'b1),
    .load_i        (load),
    .held_channel_i(check_i.channel),
    .held_page_i   (check_i.page),
    .drop_i        (1'b0),
    .hold_i        ('0),
    .abort_i       ('0),
    .permitted_o,
    .refused_o     (refused)
  );

  `TSR_ASSERT_NEXT(CheckStays, (valid_i || loaded_q) && !ready_o, $stable(check_i))
  `TSR_STATIC_ASSERT(PageSize, PageBits == 12, ("PageBits = %0d; legal is 12", PageBits))

endmodule
