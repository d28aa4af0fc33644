// tsr_port_windows: a burst is permitted only by a window of its channel and direction, and refused only if
// there is none, or behind a refused one of its transfer; each gets one of both. Locks hold.
`include "proof.svh"

module windows_proof
  import tsr_descriptor_pkg::*;
  import tsr_fabric_pkg::*;
  import tsr_port_pkg::*;
#(
  parameter  int unsigned Channels = 2,
  parameter  int unsigned Windows  = 1,
  localparam int unsigned Patience = 7 * (Windows + 1) + 3  // cycles to a verdict
) (
  input logic                        clk_i,
  input logic                        rst_ni,
  input logic                        access_i,
  input logic                        access_write_i,
  input logic                        access_channel_i,
  input logic         [         1:0] access_number_i,
  input window_word_e                access_word_i,
  input logic         [         1:0] access_page_i,
  input logic         [         2:0] access_flags_i,
  input logic         [         3:0] access_strobe_i,
  input logic                        write_i,
  input logic                        channel_i,
  input logic         [         1:0] page_i,
  input logic                        first_i,
  input logic                        load_i,
  input logic                        leave_i,
  input logic         [Channels-1:0] hold_i,
  input logic         [Channels-1:0] abort_i
);

  typedef logic [63-PageBits:0] page_t;
  window_request_t  request;
  window_response_t response;
  always_comb begin
    request = '0;
    request.valid = access_i;
    request.write = access_write_i;
    request.channel = 5'(access_channel_i);
    request.number = 4'(access_number_i);
    request.word = access_word_i;
    request.strobe = access_strobe_i;
    // Pages of 2 bits are enough.
    if (access_word_i == WindowFlags) {request.data[31], request.data[1:0]} = access_flags_i;
    else if (!access_word_i[0]) request.data[PageBits+:2] = access_page_i;
  end

  // All registers and memories begin with 0, as behind the sweep that follows a reset; but for the step of the
  // search, which the first write of software sets right. No burst comes before.
  logic written_q = 1'b0;
  NoReset :
  assume property (@(posedge clk_i) rst_ni);
  always_ff @(posedge clk_i) if (response.ready) written_q <= 1'b1;
  logic first_write;
  assign first_write = access_i && access_write_i && !access_channel_i && access_number_i == '0 &&
      access_word_i == WindowFlags && access_strobe_i != '0;
  `TSR_ASSUME(WriteFirst, written_q || (first_write && !load_i))

  // ---- A burst is held until it is permitted and taken, or until its refusal is answered

  logic permitted, refused, refused_q, held_q, held_channel_q, leaves, load;
  logic [1:0] held_page_q;
  assign leaves = held_q && leave_i && (permitted || refused_q);  // as both ports
  assign load   = rst_ni && load_i && (!held_q || leaves);
  always_ff @(posedge clk_i) begin
    held_q <= load || (held_q && !leaves);
    if (load) begin
      held_channel_q <= channel_i;
      held_page_q    <= page_i;
    end
  end

  tsr_port_windows #(
    .Channels(Channels),
    .Windows (Windows)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .request_i     (request),
    .response_o    (response),
    .write_i,
    .channel_i     (5'(channel_i)),
    .page_i        (page_t'(page_i)),
    .first_i,
    .load_i        (load),
    .held_channel_i(5'(held_channel_q)),
    .held_page_i   (page_t'(held_page_q)),
    .drop_i        (leaves && refused),
    .hold_i,
    .abort_i,
    .permitted_o   (permitted),
    .refused_o     (refused)
  );
  `TSR_ASSUME_STABLE(AccessStays, access_i, response.ready, request)
  `TSR_ASSUME_NEXT(OneDirection, 1'b1, $stable(write_i))
  `TSR_ASSUME(ThisChannel, 32'(channel_i) < Channels)

  // ---- The windows as software wrote them

  typedef struct packed {
    logic       lock,  write, read;
    logic [1:0] first, last;
  } window_t;
  window_t [1:0][3:0] windows_q;
  logic there, wrong, writes;
  window_t window, window_d;
  assign there  = 32'(access_channel_i) < Channels && 32'(access_number_i) < Windows;
  assign window = windows_q[access_channel_i][access_number_i];
  assign wrong  = !there || (access_write_i && window.lock);
  assign writes = access_i && response.ready && access_write_i && !wrong && access_strobe_i != '0;
  always_comb begin
    window_d = window;
    if (access_word_i == WindowFlags) begin
      if (access_strobe_i[0]) {window_d.write, window_d.read} = access_flags_i[1:0];
      if (access_strobe_i[3]) window_d.lock = access_flags_i[2];
    end else begin
      {window_d.lock, window_d.write, window_d.read} = '0;
      if (access_strobe_i[1] && access_word_i == WindowFirstLow) window_d.first = access_page_i;
      if (access_strobe_i[1] && access_word_i == WindowLastLow) window_d.last = access_page_i;
    end
  end
  always_ff @(posedge clk_i) if (writes) windows_q[access_channel_i][access_number_i] <= window_d;
  `TSR_ASSUME(WordIsThere, access_word_i <= WindowFlags)
  `TSR_ASSERT(ErrorIsTrue, !response.ready || response.error == wrong)

  // ---- Verdicts: of the cycle before

  logic fits, fits_q, permitted_q, bar, bar_q;
  logic [Channels-1:0] barred_q, holds_q, aborts_q;
  logic [$clog2(Patience+2)-1:0] waits_q;
  always_comb begin
    fits = 1'b0;
    for (int unsigned n = 0; n < Windows; n++) begin
      automatic window_t w = windows_q[load?channel_i : held_channel_q][n];
      automatic logic [1:0] page = load ? page_i : held_page_q;
      if ((write_i ? w.write : w.read) && page >= w.first && page <= w.last) fits = 1'b1;
    end
  end
  assign bar = barred_q[channel_i] && (!first_i || (holds_q[channel_i] && hold_i[channel_i]));
  always_ff @(posedge clk_i) begin
    fits_q      <= fits;
    permitted_q <= held_q && !leaves && permitted;
    refused_q   <= held_q && !leaves && refused;
    aborts_q    <= abort_i;
    if (load) bar_q <= bar;
    for (int unsigned c = 0; c < Channels; c++) begin
      if (aborts_q[c] && !abort_i[c]) barred_q[c] <= 1'b0;
      else if (load && channel_i == c[0]) barred_q[c] <= bar;
      else if (held_q && !bar_q && refused && !refused_q && held_channel_q == c[0])
        barred_q[c] <= 1'b1;
      if (held_q && !refused && held_channel_q == c[0]) holds_q[c] <= hold_i[c];
    end
    waits_q <= !held_q || permitted || refused || access_i ? '0 : waits_q + 1'b1;
  end
  // An abort, and its end, come while nothing of the channel is looked at.
  for (genvar c = 0; c < Channels; c++) begin : gen_channel
    `TSR_ASSUME_NEXT(AbortIsAlone, held_q && held_channel_q == c, $stable(abort_i[c]))
  end

  `TSR_ASSERT(PermittedByAWindow, !(held_q && permitted && !permitted_q) || (fits_q && !bar_q))
  `TSR_ASSERT(RefusedByAll, !(held_q && refused && !refused_q) || !fits_q || bar_q)
  `TSR_ASSERT(OneOfBoth, !(held_q && permitted && refused))
  `TSR_ASSERT(VerdictStays, !(permitted_q && !permitted) && !(refused_q && !refused))
  `TSR_ASSERT(VerdictComes, 32'(waits_q) <= Patience)

  `TSR_COVER(Permitted, held_q && permitted && (Channels == 1 || held_channel_q))
  `TSR_COVER(Locked, response.ready && response.error && window.lock)
  if (Windows == 1) begin : gen_few
    `TSR_COVER(Refused, held_q && refused && !bar_q && windows_q[held_channel_q][0].last != '0)
    `TSR_COVER(RefusedBehind, held_q && refused && bar_q)
  end else begin : gen_several
    window_t other;
    assign other = windows_q[held_channel_q][0];
    `TSR_COVER(BySecond, held_q && permitted && !(write_i ? other.write : other.read))
  end

endmodule
