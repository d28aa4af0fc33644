// tsr_descriptor_ram: what the loader holds of a descriptor, and what a register reads, is what registers wrote last, byte
// for byte, and stays while it is held; a descriptor is valid only if its last word was written last.
`include "proof.svh"

module descriptor_ram_proof
  import tsr_channel_pkg::*;
  import tsr_list_pkg::*;
#(
  parameter int unsigned Descriptors = 2,
  parameter bit          Lists       = 1'b0,
  parameter int unsigned Word        = 2      // of descriptors: the one that is followed
) (
  input logic                                           clk_i,
  input logic                                           rst_ni,
  input logic                                           read_i,
  input descriptor_id_t                                 read_id_i,
  input logic                                           read_list_i,
  input logic                                           fill_i,
  input list_part_e                                     fill_part_i,
  input logic               [DescriptorWords-1:0][31:0] fill_words_i,
  input logic                                           release_i,
  input logic                                           advance_i,
  input logic               [               15:0]       turns_i,
  input descriptor_access_t                             access_i,
  input logic                                           access_valid_i
);

  `TSR_PROOF_RESET

  logic read_ready_o, hit_o, valid_o, access_ready_o, access_error_o;
  logic [DescriptorWords-1:0][31:0] base_o, bounds_o, walk_o;
  logic [15:0] turns_o;
  logic [31:0] access_data_o;

  tsr_descriptor_ram #(
    .Descriptors(Descriptors),
    .Walk       (1'b0),
    .Bounds     (1'b0),
    .Lists      (Lists)
  ) u_dut (
    .*
  );

  // ---- What the surroundings do -----------------------------------------------------------------

  logic start, held_q, list_q;  // of the loader
  descriptor_id_t held_id_q;
  assign start = read_i && read_ready_o;
  always_ff @(posedge clk_i) begin
    held_q <= rst_ni && (start || held_q) && !release_i;
    if (start) held_id_q <= read_id_i;
    if (start) list_q <= Lists && read_list_i;
  end
  `TSR_ASSUME(ReadsWhatThereIs, !read_i || (!held_q && 32'(read_id_i) < Descriptors))
  `TSR_ASSUME(ReleasesWhatItHolds, !release_i || held_q || (start && hit_o && !read_list_i))
  `TSR_ASSUME(FillsWhatItHas, !fill_i || (Lists && ((start && read_list_i) || (held_q && list_q))))
  `TSR_ASSUME(AListHasNoTurns, !(release_i && advance_i) || !(start ? read_list_i : list_q))
  `TSR_ASSUME_NEXT(AccessStays, access_valid_i && !access_ready_o, access_valid_i && $stable
                   (access_i))

  // ---- One byte of one descriptor, any ------------------------------------------------------------

  descriptor_id_t id_q;  // as it is at the start
  logic [1:0] lane_q;
  always_ff @(posedge clk_i) begin
    id_q   <= id_q;
    lane_q <= lane_q;
  end
  `TSR_ASSUME(OneThatThereIs, 32'(id_q) < Descriptors)

  // Bit 31 of the last word is `valid`: see there.
  localparam logic [31:0] Kept = {Word != 15, 31'h7fff_ffff};
  function automatic logic [7:0] lane(input logic [31:0] word);
    logic [31:0] kept;
    kept = word & Kept;
    return kept[8*lane_q+:8];
  endfunction

  // What registers have written of it.
  logic writes, hits;
  logic [7:0] byte_q;
  logic valid_q;
  logic [15:0] turns_q;
  assign writes = access_valid_i && access_ready_o && !access_error_o && access_i.write &&
      access_i.strobe != '0 && access_i.descriptor == id_q;
  assign hits = writes && access_i.area == AreaBase && 32'(access_i.word) == Word;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) byte_q <= '0;
    else if (hits && access_i.strobe[lane_q]) byte_q <= lane(access_i.data);
  end
  logic commits, counts;
  assign commits = writes && access_i.area == AreaBase && access_i.word == 4'd15;
  assign counts  = writes && access_i.area == AreaTurns;

  // ---- What is stored ---------------------------------------------------------------------------

  typedef enum logic [2:0] {
    Clear,
    Free,
    Held,
    Look,
    Answer
  } state_e;
  state_e state;
  assign state = state_e'(u_dut.state_q);
  logic cleared;
  assign cleared = state != Clear || 32'(u_dut.id_q) > 32'(id_q);

  logic coming;  // a write is on its way to the memory
  logic [31:0] stored, shown;
  assign coming = u_dut.put_q.valid && 32'(u_dut.put_q.id) == 32'(id_q) &&
      (u_dut.put_q.all || (u_dut.put_q.area == AreaBase && 32'(u_dut.put_q.word) == Word));
  assign stored = coming ? u_dut.put_q.data :
      u_dut.gen_area[0].gen_word[Word].gen_stored.u_word.mem_q[id_q];
  assign shown = base_o[Word];
  `TSR_ASSERT(StatesAreLegal, state <= Answer)
  `TSR_ASSERT(IdsAreLegal, state != Clear || 32'(u_dut.id_q) < Descriptors)
  `TSR_ASSERT(ClearsAlone, state != Clear || !held_q)
  `TSR_ASSERT(ClearsWithZeros, !u_dut.put_q.all || (u_dut.put_q.valid && u_dut.put_q.data == '0))
  `TSR_ASSERT(NothingIsWrittenBefore, state != Clear || byte_q == '0)
  `TSR_ASSERT(StoresWhatWasWritten, !cleared || lane(stored) == byte_q)

  logic mine;  // the loader holds it
  assign mine = held_q && !list_q && held_id_q == id_q;

  // ---- The loader -------------------------------------------------------------------------------

  `TSR_ASSERT(KnowsItIsHeld, held_q == (state == Held))
  `TSR_ASSERT(KnowsWhatIsHeld,
              !held_q || (32'(u_dut.id_q) == 32'(held_id_q) && u_dut.list_q == list_q))
  `TSR_ASSERT(ShowsWhatWasWritten, !mine || lane(shown) == byte_q)
  `TSR_ASSERT(AHitShowsIt, !(hit_o && read_id_i == id_q) || lane(shown) == byte_q)
  `TSR_ASSERT(NothingIsWrittenMeanwhile, !held_q || !(writes || u_dut.put_q.valid))
  `TSR_ASSERT(WaitsForAWrite, !start || !u_dut.put_q.valid)

  // ---- Valid, and turns -------------------------------------------------------------------------

  // A write of the last word that leaves out its upper byte leaves it valid if it is.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= 1'b0;
    else if (writes && !counts) begin
      valid_q <= commits && (access_i.strobe[3] ? access_i.data[31] : valid_q);
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni || commits) begin
      turns_q <= '0;
    end else if (counts) begin
      for (int unsigned b = 0; b < 2; b++) begin
        if (access_i.strobe[b]) turns_q[8*b+:8] <= access_i.data[8*b+:8];
      end
    end else if (release_i && advance_i && (start ? read_id_i : held_id_q) == id_q) begin
      turns_q <= turns_i;
    end
  end
  logic stored_valid;
  logic [15:0] stored_turns;
  always_comb begin
    stored_valid = 1'b0;
    stored_turns = '0;
    for (int unsigned d = 0; d < Descriptors; d++) begin
      if (32'(id_q) == d) begin
        stored_valid = u_dut.valid_mem_q[d];
        stored_turns = u_dut.turns_q[d];
      end
    end
  end
  `TSR_ASSERT(NothingIsValidBefore, state != Clear || (!valid_q && turns_q == '0))
  `TSR_ASSERT(KnowsWhetherItIsValid, !cleared || stored_valid == valid_q)
  `TSR_ASSERT(KnowsItsTurns, !cleared || stored_turns == turns_q)
  `TSR_ASSERT(ShowsWhetherItIsValid, !mine || valid_o == valid_q)
  `TSR_ASSERT(ShowsItsTurns, !mine || turns_o == turns_q)
  `TSR_ASSERT(AHitShowsItsTurns, !(hit_o && read_id_i == id_q) || turns_o == turns_q)
  `TSR_ASSERT(AHitShowsWhetherItIsValid,
              !(hit_o && read_id_i == id_q) || u_dut.read_valid_q == valid_q)

  logic last;  // bit 31 of its last word
  assign last = u_dut.put_q.valid && 32'(u_dut.put_q.id) == 32'(id_q) &&
      (u_dut.put_q.all || (u_dut.put_q.area == AreaBase && u_dut.put_q.word == 4'd15)) ?
      u_dut.put_q.data[31] : u_dut.gen_area[0].gen_word[15].gen_stored.u_word.mem_q[id_q][31];
  `TSR_ASSERT(AValidOneHasItsBit, !(cleared && valid_q) || last)

  // ---- Registers --------------------------------------------------------------------------------

  logic reads;
  assign reads = access_valid_i && access_ready_o && !access_error_o && !access_i.write &&
      access_i.descriptor == id_q && access_i.area == AreaBase && 32'(access_i.word) == Word;
  `TSR_ASSERT(ReadsWhatWasWritten, !reads || lane(access_data_o) == byte_q)
  logic looks, looked_at;  // for a register; at the one that is followed
  assign looks     = state == Look || state == Answer;
  assign looked_at = state == Look && 32'(u_dut.id_q) == 32'(id_q);
  `TSR_ASSERT(KnowsTheAccess, !u_dut.turn_q || (access_valid_i && u_dut.known))
  `TSR_ASSERT(LooksInItsTurn, !looks || u_dut.turn_q)
  `TSR_ASSERT(LooksAtTheDescriptor, !looks || 32'(u_dut.id_q) == 32'(access_i.descriptor))
  `TSR_ASSERT(LooksInTheArea, !looks || u_dut.put_q.area == access_i.area)
  `TSR_ASSERT(LooksForTheWord, !looks || u_dut.put_q.word == access_i.word)
  `TSR_ASSERT(LooksAtTheByte, !looked_at || lane(shown) == byte_q)
  `TSR_ASSERT(LooksAtItsTurns, !looked_at || turns_o == turns_q)
  `TSR_ASSERT(LooksWhetherItIsValid, !looked_at || valid_o == valid_q)
  `TSR_ASSERT(LooksAtItsBit, !looked_at || !valid_q || base_o[15][31])

  `TSR_COVER(HeldAfterAWrite, held_q && !list_q && held_id_q == id_q && byte_q == 8'h5a)
  `TSR_COVER(HitAfterAWrite, start && release_i && read_id_i == id_q && byte_q == 8'h5a)
  `TSR_COVER(ReadAfterAWrite, reads && byte_q == 8'h5a)
  `TSR_COVER(PartOfAWord, hits && access_i.strobe == 4'b0010)

endmodule
