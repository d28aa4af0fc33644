// tsr_list_fetcher: nothing is fetched outside the list of a channel, behind the tail of its ring, or
// outside its window; descriptors are handed over once each, in order, with their own words; and whoever
// closes his list disturbs no other. Bounded: the first cycles after a reset.
`include "proof.svh"

module list_fetch_proof
  import tsr_fabric_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_list_pkg::*;
#(
  parameter  int unsigned Channels  = 2,
  localparam int unsigned AddrWidth = 13,  // two pages
  localparam int unsigned Most      = 4,
  localparam int unsigned Bits      = 2    // of counts
) (
  input logic                            clk_i,
  input logic                            rst_ni,
  input logic                            quiesce_i,
  input window_t     [Channels-1:0][0:0] window_i,
  input logic        [Channels-1:0]      open_i,
  input logic        [Channels-1:0]      again_i,
  input logic        [Channels-1:0]      doorbell_i,
  input list_index_t                     tail_i,      // with a doorbell
  input list_setup_t [Channels-1:0]      setup_i,
  input logic                            select_i,
  input logic                            take_i,
  input logic                            arready_i,
  input logic        [         1:0]      asks_i,      // extensions, in a line
  input logic                            chained_i,
  input logic        [         1:0]      rresp_i,
  input logic                            rvalid_i
);

  `TSR_PROOF_RESET

  typedef logic [AddrWidth-1:6] line_t;

  logic [Channels-1:0] busy_o, valid_o;
  list_index_t [Channels-1:0] head_o, tail_q;
  list_index_t [Channels-1:0] given_q;  // a wrong tail takes back nothing that was given before
  logic channel_o;
  list_part_t part_o;
  logic [AddrWidth-1:0] araddr_o;
  logic [7:0] arlen_o;
  axi_attr_t arattr_o;
  axi_attr_t [1:0] attr;  // of channel 1 all ones
  logic arvalid_o, rready_o, rests_o, select;
  line_t [Most:0] asked_q, asked_d;  // lines that were asked for, 0 the oldest
  logic [2:0] count_q, count_d;
  logic [15:0][31:0] line_data;  // its words begin with the number of the line

  assign attr   = {axi_attr_t'('1), axi_attr_t'('0)};
  assign select = Channels > 1 && select_i;

  tsr_list_fetcher #(
    .Channels   (Channels),
    .AddrWidth  (AddrWidth),
    .ListWidth  (512),
    .Slots      (4),
    .Outstanding(Most),
    .WindowCheck(1'b1),
    .Windows    (1)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .quiesce_i,
    .rests_o,
    .attr_i  (attr[Channels-1:0]),
    .window_i,
    .open_i,
    .again_i,
    .zero_i  ('0),
    .doorbell_i,
    .busy_o,
    .head_o,
    .channel_o,
    .setup_i (setup_i[channel_o]),
    .tail_i  (tail_q[channel_o]),
    .valid_o,
    .select_i(select),
    .part_o,
    .take_i  (take_i && valid_o[select]),
    .araddr_o,
    .arlen_o,
    .arattr_o,
    .arvalid_o,
    .arready_i,
    .rdata_i (line_data),
    .rresp_i,
    .fault_i (1'b0),
    .rvalid_i,
    .rready_o
  );

  // Places of a ring from its head on.
  function automatic list_index_t from_head(logic c, list_index_t index);
    return index >= head_o[c] ? index - head_o[c] : index + setup_i[c].count - head_o[c];
  endfunction

  // ---- Registers and memory ---------------------------------------------------------------------

  `TSR_ASSUME_NEXT(SetupStays, 1'b1, $stable(setup_i) && $stable(window_i))
  for (genvar c = 0; c < Channels; c++) begin : gen_channel
    `TSR_ASSUME(SmallCount, setup_i[c].count[ListIndexBits-1:Bits] == '0)
    `TSR_ASSUME(
        TailGoesOn,
        !doorbell_i[c] || (tail_q[c] < setup_i[c].count && (tail_i >= setup_i[c].count || from_head(
        1'(c), tail_i) >= from_head(1'(c), tail_q[c]))))
    always_ff @(posedge clk_i) begin
      if (!rst_ni) tail_q[c] <= '0;
      else if (doorbell_i[c]) tail_q[c] <= tail_i;
      if (!rst_ni) given_q[c] <= '0;
      else if (doorbell_i[c] && tail_i < setup_i[c].count) given_q[c] <= tail_i;
    end
  end
  `TSR_ASSUME(SmallTail, tail_i[ListIndexBits-1:Bits] == '0)

  always_comb begin
    line_data            = '0;
    line_data[0]         = 32'(asked_q[0]);
    line_data[13][8]     = chained_i;
    line_data[15][15:14] = asks_i;
    asked_d              = asked_q;
    count_d              = count_q;
    if (rvalid_i && rready_o) begin
      asked_d = asked_d >> $bits(line_t);
      count_d = count_d - 1'b1;
    end
    if (arvalid_o && arready_i) begin
      asked_d[count_d] = araddr_o[AddrWidth-1:6];
      count_d = count_d + 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    asked_q <= asked_d;
    if (!rst_ni) count_q <= '0;
    else count_q <= count_d;
  end
  `TSR_ASSUME(AnswersWhatWasAsked, !rvalid_i || count_q != '0)
  `TSR_ASSERT(WithinLimits, count_q <= 3'(Most))
  `TSR_ASSERT(WholeLines, !arvalid_o || (araddr_o[5:0] == '0 && arlen_o == '0))

  // ---- What may be fetched ----------------------------------------------------------------------

  // Index of the descriptor to which a line of a channel belongs, searched.
  function automatic line_t line_of(logic c, logic [Bits-1:0] index);
    return setup_i[c].base[AddrWidth-1:6] + line_t'(index) * (line_t'(setup_i[c].pitch) + 1'b1);
  endfunction
  function automatic logic legal(logic c, line_t line);
    legal = 1'b0;
    for (int unsigned i = 0; i < 2 ** Bits; i++) begin
      for (int unsigned part = 0; part < 3; part++) begin
        if (list_index_t'(i) < setup_i[c].count && part <= 32'(setup_i[c].pitch) && line == line_of(
                c, Bits'(i)
            ) + line_t'(part))
          legal = 1'b1;
      end
    end
  endfunction
  function automatic logic permitted(logic c, line_t line);
    return window_i[c][0].read && line[AddrWidth-1:PageBits] >= window_i[c][0].first[0] &&
        line[AddrWidth-1:PageBits] <= window_i[c][0].last[0];
  endfunction

  // What the walk asks for goes to the bus in the next cycle.
  list_request_t request;
  line_t line;
  logic asks, c;
  logic [Bits-1:0] index;
  assign request = u_dut.request;
  assign asks    = u_dut.request_valid && request.error == LoadOk;
  assign line    = u_dut.u_walk.addr;
  assign index   = u_dut.place.index[Bits-1:0];
  assign c       = request.channel[0];
  `TSR_ASSERT_NEXT(GoesToTheBus, asks, arvalid_o)
  `TSR_ASSERT_NEXT(WithAttributesOf0, asks && !c, arattr_o == attr[0])
  `TSR_ASSERT_NEXT(WithAttributesOf1, asks && c, arattr_o == attr[1])
  `TSR_ASSERT_NEXT(NothingElseGoes, !asks && (!arvalid_o || arready_i), !arvalid_o)
  `TSR_ASSERT(InsideTheList, !asks || legal(c, line))
  `TSR_ASSERT(InsideTheWindow, !asks || permitted(c, line))
  `TSR_ASSERT(OfALegalList,
              !asks || (setup_i[c].base[5:0] == '0 && setup_i[c].base[63:AddrWidth] == '0))
  `TSR_ASSERT(OfItsIndex, !asks || request.part != '0 || line == line_of(c, index))
  `TSR_ASSERT(BeforeTheTail, !asks || request.part != '0 || !setup_i[c].ring || from_head(
              c, u_dut.place.index) < from_head(c, given_q[c]))
  `TSR_ASSERT(OfAnOpenList, !asks || busy_o[c])
  `TSR_ASSERT(AtRestNothingIsOwed, !rests_o || (!arvalid_o && count_q == '0))
  `TSR_ASSERT_NEXT(RestStays, quiesce_i && rests_o, rests_o)

  // ---- What is handed over ----------------------------------------------------------------------

  // The next descriptor of each list, counted here. An array begins with 0 when it is opened.
  logic [1:0][Bits-1:0] next_q;
  logic [1:0] closed_q;
  logic [1:0] parts_q;  // taken of the descriptor of `owner_q`
  logic owner_q, takes;
  assign takes = take_i && valid_o[select];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      next_q   <= '0;
      closed_q <= '1;
      parts_q  <= '0;
    end else begin
      for (int unsigned i = 0; i < Channels; i++) begin
        closed_q[i] <= !open_i[i];
        if (!open_i[i] && !setup_i[i].ring) next_q[i] <= '0;
      end
      if (takes) begin
        owner_q <= select;
        parts_q <= part_o.final_part ? '0 : parts_q + 1'b1;
        if (part_o.final_part && part_o.error == LoadOk &&
            (open_i[select] || setup_i[select].ring)) begin
          next_q[select] <= list_index_t'(next_q[select]) == setup_i[select].count - 1'b1 ? '0 :
              next_q[select] + 1'b1;
        end
      end else if (!valid_o[owner_q]) begin
        parts_q <= '0;
      end
    end
  end
  // A descriptor is taken in one piece.
  `TSR_ASSUME(OneAfterTheOther, parts_q == '0 || select == owner_q || !valid_o[owner_q])
  // In the cycle after, what was open for the last time may still be there.
  logic shown;
  assign shown = takes && (parts_q == '0 || select == owner_q);

  list_part_t part;
  assign part = part_o;
  logic words_mean;
  assign words_mean = shown && part.error == LoadOk;
  `TSR_ASSERT(InOrder, !shown || part.index[Bits-1:0] == next_q[select] || closed_q[select])
  `TSR_ASSERT(TheHeadIsNext, !shown || part.index == head_o[select])
  `TSR_ASSERT(OwnWords, !words_mean || part.words[0][AddrWidth-7:0] == line_of(
              select, part.index[Bits-1:0]) + line_t'(parts_q))
  `TSR_ASSERT(OwnAddress, !words_mean || part.addr[AddrWidth-1:6] == line_of(select,
                                                                             part.index[Bits-1:0]))
  `TSR_ASSERT(AsManyPartsAsAsked,
              !words_mean || parts_q != '0 || part.final_part == (part.words[15][15:14] == '0))
  `TSR_ASSERT(NothingIsHandedOverOfAClosedList, valid_o == '0 || (valid_o & busy_o) == valid_o)

  `TSR_COVER(Extension, asks && request.part == 2'd1)
  `TSR_COVER(Closes, !open_i[0] && busy_o[0] && count_q == 3'd2)
  `TSR_COVER(Denied, takes && part.error == LoadListWindow)
  `TSR_COVER(BadTail, takes && part.error == LoadListTail)

endmodule
