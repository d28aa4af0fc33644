// tsr_loader: every request is answered once, to the channel that made it, with the descriptor that it asked for, made of
// the words that descriptor RAM shows of that descriptor; one of a list takes its parts up to the last one, of its own
// list alone; descriptor RAM is given back once.
`include "proof.svh"

module loader_proof
  import tsr_pkg::*;
  import tsr_descriptor_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_list_pkg::*;
#(
  parameter  int unsigned Channels     = 2,
  parameter  bit          Lists        = 1'b0,
  parameter  bit          Early        = 1'b1,
  localparam int unsigned ChannelWidth = $clog2(Channels < 2 ? 2 : Channels)
) (
  input logic                          clk_i,
  input logic                          rst_ni,
  input load_request_t  [Channels-1:0] request_i,
  input logic           [Channels-1:0] valid_i,
  input logic           [Channels-1:0] list_open_i,
  input logic           [Channels-1:0] list_valid_i,
  input list_part_t                    list_part_i,
  input logic                          read_ready_i,
  input logic                          read_hit_i,
  input descriptor_id_t                guess_i,
  input logic                          guess_valid_i,
  input descriptor_id_t                shows_i,         // while nobody reads
  input descriptor_t                   descriptor_i,
  input loaded_t                       decoded,
  input logic                          has_iteration_i
);

  `TSR_PROOF_RESET

  logic [Channels-1:0] ready_o, loaded_valid_o, decode_channel_o;
  loaded_t loaded_o, decoded_i;
  transfer_t transfer_o;
  logic [63:0] loaded_addr_o;
  logic [ChannelWidth-1:0] list_select_o;
  logic list_take_o, read_o, read_list_o, fill_o, release_o, advance_o;
  descriptor_id_t read_id_o;
  decode_t decode_o;

  tsr_loader #(
    .Channels   (Channels),
    .Descriptors(16),
    .AddrWidth  (32),
    .DataWidth  (32),
    .Walk       (1'b0),
    .Bounds     (1'b0),
    .Lists      (Lists),
    .Early      (Early)
  ) u_dut (
    .*
  );

  // ---- What the surroundings do -----------------------------------------------------------------

  // A channel holds its request, and asks again only after the answer.
  logic [Channels-1:0] pending_q;  // taken, and not answered
  load_request_t [Channels-1:0] taken_q;
  for (genvar c = 0; c < int'(Channels); c++) begin : gen_channel
    `TSR_ASSUME(AsksAgainAfterTheAnswer, !valid_i[c] || !pending_q[c] || loaded_valid_o[c])
    `TSR_ASSUME_NEXT(RequestStays, valid_i[c] && !ready_o[c], valid_i[c] && $stable(request_i[c]))
    always_ff @(posedge clk_i) begin
      if (!rst_ni) pending_q[c] <= 1'b0;
      else pending_q[c] <= ready_o[c] || (pending_q[c] && !loaded_valid_o[c]);
      if (ready_o[c]) taken_q[c] <= request_i[c];
    end
  end

  // Descriptor RAM shows a descriptor from the cycle behind its request until it is released; before that
  // anything may be shown, and a hit says that it is what is asked for.
  descriptor_id_t shown_q;
  logic held_q, start;
  assign start = read_o && read_ready_i;
  always_ff @(posedge clk_i) begin
    if (start) shown_q <= read_id_o;
    else if (!held_q || release_o) shown_q <= shows_i;
    held_q <= rst_ni && (start || held_q) && !release_o;
  end
  `TSR_ASSUME(AHitIsOne, !read_hit_i || shown_q == read_id_o)

  // The decoder passes on what the request says.
  always_comb begin
    decoded_i            = decoded;
    decoded_i.descriptor = decode_o.request.descriptor;
    decoded_i.task_end   = decode_o.request.final_turn;
    decoded_i.index      = decode_o.index;
  end

  // ---- Requests and answers ---------------------------------------------------------------------

  logic answers, lists;  // the request that is worked on is one of a list
  load_request_t current;
  assign answers = loaded_valid_o != '0;
  always_comb begin
    current = '0;
    for (int unsigned c = 0; c < Channels; c++) begin
      if (pending_q[c]) current = current | taken_q[c];
    end
  end
  assign lists = Lists && current.from_list;
  `TSR_ASSERT(OneAtATime, $onehot0(pending_q & ~loaded_valid_o) && $onehot0(ready_o))
  `TSR_ASSERT(TakesWhatIsAsked, (ready_o & ~valid_i) == '0)
  `TSR_ASSERT(NoneIsTakenBeforeTheAnswer, ready_o == '0 || (pending_q & ~loaded_valid_o) == '0)
  `TSR_ASSERT(AnswersWhoAsked, (loaded_valid_o & ~pending_q) == '0)
  `TSR_ASSERT(WorksForWhoAsked, !u_dut.working_q || u_dut.work_q == pending_q)
  `TSR_ASSERT(NoneIsForgotten, (pending_q != '0) == (u_dut.working_q || u_dut.answers_q))
  `TSR_ASSERT(EitherWorksOrAnswers, !(u_dut.working_q && u_dut.answers_q))
  `TSR_ASSERT(AnswersTheOneOfItsWork, !u_dut.answers_q || u_dut.work_q == pending_q)
  `TSR_ASSERT(KnowsTheRequest, !u_dut.working_q || u_dut.request_q == current)
  `TSR_ASSERT(AnswersWithTheDescriptor, !answers || loaded_o.descriptor == current.descriptor)
  `TSR_ASSERT(AnswersWithTheTurn, !answers || loaded_o.task_end == current.final_turn)

  // ---- Words ------------------------------------------------------------------------------------

  logic released_q;  // of the request that is worked on
  always_ff @(posedge clk_i) begin
    released_q <= rst_ni && (release_o || (released_q && !start));
  end
  `TSR_ASSERT(
      DecodesTheWordsOfTheRequest,
      !u_dut.working || decode_o.request.from_list || shown_q == decode_o.request.descriptor)
  `TSR_ASSERT(DecodesForTheChannel,
              !u_dut.working || decode_channel_o == (start ? ready_o : pending_q))
  `TSR_ASSERT(ReadsBehindTheRelease, !start || !held_q)
  `TSR_ASSERT(ReleasesWhatItHolds, !release_o || held_q || (start && read_hit_i))
  `TSR_ASSERT(HoldsWhileItWorks, u_dut.working_q == held_q)
  `TSR_ASSERT(AnswersBehindTheRelease, !answers || released_q)
  `TSR_ASSERT_NEXT(AdvancesWhatRuns, release_o && advance_o, answers && loaded_o.error == '0)

  // ---- Parts of a list --------------------------------------------------------------------------

  if (Lists) begin : gen_lists
    logic over_q, begun_q;  // the last part has come, or one with an error
    logic [Channels-1:0] own;
    assign own = start ? ready_o : pending_q;
    always_ff @(posedge clk_i) begin
      begun_q <= rst_ni && (list_take_o || (begun_q && !start));
      if (list_take_o) over_q <= list_part_i.final_part || list_part_i.error != LoadOk;
      else if (start) over_q <= 1'b0;
    end
    logic closed_q, failed_q;  // before the last part; with an error
    always_ff @(posedge clk_i) begin
      closed_q <= rst_ni && !start &&
          (closed_q || (u_dut.working_q && lists && !over_q && (list_open_i & own) == '0));
      if (list_take_o) failed_q <= list_part_i.error != LoadOk;
    end
    logic [1:0] parts_q;
    always_ff @(posedge clk_i) begin
      if (start) parts_q <= 2'(list_take_o);
      else if (list_take_o) parts_q <= parts_q + 1'b1;
    end
    `TSR_ASSERT(TakesAPartThatIsThere, !list_take_o || (list_valid_i & own) != '0)
    `TSR_ASSERT(TakesPartsOfItsList, !list_take_o || own[list_select_o])
    `TSR_ASSERT(TakesPartsForAListAlone, !list_take_o || (start ? read_list_o : lists))
    `TSR_ASSERT(TakesNoneBehindTheLast, !list_take_o || start || !over_q)
    `TSR_ASSERT(FillsWhatItTakes, fill_o == (list_take_o && list_part_i.error == LoadOk))
    `TSR_ASSERT(KnowsWhetherMoreComes,
                !u_dut.working_q || !lists || u_dut.gathers_q != (over_q || closed_q))
    `TSR_ASSERT(GathersForAList, !u_dut.gathers_q || (u_dut.working_q && lists))
    `TSR_ASSERT(BeginsWithAPart, !u_dut.working_q || !lists || begun_q)
    `TSR_ASSERT(KnowsTheError, !u_dut.working_q || !lists || u_dut.lost == (closed_q || failed_q))
    `TSR_ASSERT(AWholeOneOrAnError,
                !u_dut.finish || !u_dut.working_q || !lists || over_q || closed_q)
    `TSR_ASSERT(TellsOfWhatIsLost,
                !answers || !lists || !(failed_q || closed_q) || loaded_o.error != '0)
    `TSR_COVER(ThreeParts, answers && lists && loaded_o.error == '0 && parts_q == 2'd3)
    `TSR_COVER(Closed, answers && lists && closed_q)
  end

  logic guessed_q;
  always_ff @(posedge clk_i) guessed_q <= start && read_hit_i && release_o;
  `TSR_COVER(AnswersAGuessAtOnce, answers && guessed_q)
  `TSR_COVER(TwoChannels, answers && ready_o != '0 && (ready_o & loaded_valid_o) == '0)
  `TSR_COVER(Advances, release_o && advance_o)

endmodule
