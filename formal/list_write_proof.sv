// tsr_list_writer: every transfer that has its record gets one entry, in order, at the next place of its
// channel's ring and with the right phase, as long as nothing goes wrong; none is written outside the
// window or behind an error; an interrupt comes only with an answer.
`include "proof.svh"

module list_write_proof
  import tsr_fabric_pkg::*;
  import tsr_list_pkg::*;
#(
  parameter  int unsigned ListWidth = 128,
  localparam int unsigned Channels  = 2,
  localparam int unsigned AddrWidth = 13,   // two pages
  localparam int unsigned Depth     = 2
) (
  input logic                                  clk_i,
  input logic                                  rst_ni,
  input logic                                  quiesce_i,
  input window_t           [Channels-1:0][0:0] window_i,
  input logic              [Channels-1:0]      clear_i,
  input list_write_setup_t [Channels-1:0]      setup_i,
  input logic              [Channels-1:0]      done_valid_i,
  input logic              [Channels-1:0]      flag_i,        // the entry interrupts
  input logic                                  awready_i,
  input logic                                  wready_i,
  input logic              [         1:0]      bresp_i,
  input logic                                  fault_i,
  input logic                                  bvalid_i
);

  `TSR_PROOF_RESET

  typedef logic [2:0] serial_t;

  logic [Channels-1:0] busy_o, done_ready_o, interrupts_o;
  list_told_t [Channels-1:0] told_o;
  list_write_error_e [Channels-1:0] error_o;
  list_index_t [Channels-1:0] failed_index_o;
  logic [Channels-1:0][63:0] failed_addr_o;
  list_done_t [Channels-1:0] done;
  logic channel_o;
  logic [AddrWidth-1:0] awaddr_o;
  logic [7:0] awlen_o;
  axi_attr_t awattr_o;
  axi_attr_t [Channels-1:0] attr;  // of channel 1 all ones
  logic [ListWidth-1:0] wdata_o;
  logic [ListWidth/8-1:0] wstrb_o;
  logic awvalid_o, wlast_o, wvalid_o, bready_o, rests_o;

  assign attr = {axi_attr_t'('1), axi_attr_t'('0)};

  tsr_list_writer #(
    .Channels   (Channels),
    .AddrWidth  (AddrWidth),
    .ListWidth  (ListWidth),
    .Depth      (Depth),
    .WindowCheck(1'b1),
    .Windows    (1)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .quiesce_i,
    .rests_o,
    .attr_i   (attr),
    .window_i,
    .clear_i,
    .restart_i('0),
    .busy_o,
    .error_o,
    .failed_index_o,
    .failed_addr_o,
    .channel_o,
    .setup_i  (setup_i[channel_o]),
    .done_i   (done),
    .done_valid_i,
    .done_ready_o,
    .told_o,
    .awaddr_o,
    .awlen_o,
    .awattr_o,
    .awvalid_o,
    .awready_i,
    .wdata_o,
    .wstrb_o,
    .wlast_o,
    .wvalid_o,
    .wready_i,
    .bresp_i,
    .fault_i,
    .bvalid_i,
    .bready_o
  );

  `TSR_ASSUME_NEXT(SetupStays, 1'b1, $stable(setup_i) && $stable(window_i))

  // ---- Channels ---------------------------------------------------------------------------------

  // Transfers carry their number. What was taken since the last clear, what was written, and the place
  // and phase of the next entry, counted here.
  serial_t [1:0] taken_q, written_q;
  logic [1:0][1:0] place_q;
  logic [1:0] phase_q;
  logic writes, who;
  list_entry_t entry;

  assign entry  = list_entry_t'(wdata_o[127:0]);
  assign who    = entry.tag[3];
  assign writes = wvalid_o && wready_i && wlast_o;

  for (genvar c = 0; c < Channels; c++) begin : gen_channel
    `TSR_ASSUME(SmallRing, setup_i[c].count <= 16'd3)
    `TSR_ASSUME_NEXT(DoneStays, done_valid_i[c] && !done_ready_o[c],
                     clear_i[c] || (done_valid_i[c] && $stable(flag_i[c])))
    `TSR_ASSUME_NEXT(ClearUntilItIsSo, clear_i[c] && busy_o[c], clear_i[c])
    `TSR_ASSUME(NothingIsDoneInReset, !clear_i[c] || !done_valid_i[c])
    assign done[c] = '{
            tag: 32'({1'(c), taken_q[c]}),
            status: '0,
            last: 1'b0,
            task_end: 1'b0,
            interrupts: flag_i[c],
            default: '0
        };
    always_ff @(posedge clk_i) begin
      if (!rst_ni || clear_i[c]) begin
        taken_q[c]   <= '0;
        written_q[c] <= '0;
        place_q[c]   <= '0;
        phase_q[c]   <= 1'b1;
      end else begin
        taken_q[c] <= taken_q[c] + serial_t'(done_valid_i[c] && done_ready_o[c]);
        if (writes && who == 1'(c)) begin
          written_q[c] <= written_q[c] + 1'b1;
          place_q[c]   <= 16'(place_q[c]) + 1'b1 == setup_i[c].count ? '0 : place_q[c] + 1'b1;
          phase_q[c]   <= phase_q[c] ^ (16'(place_q[c]) + 1'b1 == setup_i[c].count);
        end
      end
    end
    `TSR_ASSERT(AllAreWritten,
                busy_o[c] || error_o[c] != WriteOk || !setup_i[c].enable ||
                (awvalid_o || wvalid_o) || written_q[c] == taken_q[c] || clear_i[c])
    `TSR_ASSERT(ErrorsSayWhy,
                error_o[c] != WriteBase || setup_i[c].base[5:0] != '0 ||
                setup_i[c].base[63:AddrWidth] != '0 || setup_i[c].count == '0)
    `TSR_COVER(Round, written_q[c] == 3'd2 && phase_q[c] && !busy_o[c] && setup_i[c].count == 16'd1)
  end

  // ---- The bus ----------------------------------------------------------------------------------

  // Address and data of an entry are shown together, and the next one when both were taken.
  logic [AddrWidth-1:0] addr;
  logic [2:0] open_q;  // entries that are not answered
  logic permitted, aw_gone_q;
  assign addr = awaddr_o;
  assign permitted = window_i[who][0].write && addr[12] >= window_i[who][0].first[0] &&
      addr[12] <= window_i[who][0].last[0];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      open_q    <= '0;
      aw_gone_q <= 1'b0;
    end else begin
      open_q <= open_q + 3'(writes) - 3'(bvalid_i);
      if (awvalid_o && awready_i) aw_gone_q <= !writes;
      else if (writes) aw_gone_q <= 1'b0;
    end
  end
  `TSR_ASSUME(AnswersWhatWasAsked, !bvalid_i || open_q > 3'(awvalid_o && !wvalid_o))

  logic tells;  // data of an entry that no clear has overtaken
  assign tells = writes && !clear_i[who] && !u_dut.clearing_q[who];
  `TSR_ASSERT(NextInOrder, !tells || entry.tag[2:0] == written_q[who])
  `TSR_ASSERT(NextPlace,
              !tells || addr == setup_i[who].base[AddrWidth-1:0] + {7'd0, place_q[who], 4'd0})
  `TSR_ASSERT(Phase, !tells || entry.phase == phase_q[who])
  `TSR_ASSERT(InsideTheWindow, !writes || permitted)
  `TSR_ASSERT(WithItsAttributes, !awvalid_o || awattr_o == attr[who])
  `TSR_ASSERT(OnlyIfWanted, !writes || setup_i[who].enable)
  `TSR_ASSERT(WholeEntries, !wvalid_o || wstrb_o == '1)
  for (genvar c = 0; c < Channels; c++) begin : gen_told
    assign interrupts_o[c] = told_o[c].interrupts;
  end
  `TSR_ASSERT(ToldAreAnswers, told_o == '0 || ($onehot(told_o) && bvalid_i && !bresp_i[1]))
  `TSR_ASSERT(NeverFull, !bvalid_i || bready_o)
  `TSR_ASSERT(AtRestNothingIsShown, !rests_o || (!awvalid_o && !wvalid_o))
  `TSR_ASSERT_NEXT(RestStays, quiesce_i && rests_o, rests_o)
  // An entry that begins on the pins was let go a cycle before; its channel had no error then.
  logic [1:0] bad_q;
  logic follows_q;  // the data on the pins were there a cycle before
  always_ff @(posedge clk_i) begin
    follows_q <= rst_ni && wvalid_o && !(wready_i && wlast_o);
    for (int unsigned c = 0; c < Channels; c++) bad_q[c] <= rst_ni && error_o[c] != WriteOk;
  end
  `TSR_ASSERT(NothingBehindAnError, !wvalid_o || follows_q || !bad_q[who])

  `TSR_COVER(Interrupts, interrupts_o == 2'b01 && open_q == 3'd2)
  `TSR_COVER(Denied, error_o[0] == WriteWindow && written_q[1] == 3'd1)
  `TSR_COVER(ClearedOnTheWay, clear_i[0] && open_q == 3'd2)

endmodule
