// Turns a list in memory into contexts of the engine: fetch, decode, window.
//
// Contract: `start_i` for one cycle while `source_o.ended`; its pointers count then, the rest is
// constant until it ends again. Contexts go in the order of the list, `begin_o`, `go_o` and `room_i`
// as with tsr_mover_slots; with `more_o` another context of the same descriptor follows. The list
// ends with its last descriptor, or before the first one that has no transfer: then `source_o.error`
// says why. With `stop_i`, a level, no descriptor is begun; one that has begun gets all its contexts.
// `source_o.ended` is not high while a word of the list is on its way.
// Latency: 8 cycles from the last word of a descriptor on the bus to `go_o`.
// Throughput: a context in 9 cycles, in 11 if elements of dimension 1 are no neighbours; with tile
// patterns as tsr_mover_pattern says.
`include "tsr_assert.svh"
module tsr_mover_list
  import tsr_core_pkg::*;
  import tsr_mover_pkg::*;
#(
  parameter int unsigned AddrWidth    = 64,
  parameter int unsigned ElementBytes = 8,
  parameter bit          Receives     = 1'b0,  // stream to memory
  parameter bit          Patterns     = 1'b0,
  parameter int unsigned ListDepth    = 128,
  parameter int unsigned ListBurst    = 16
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  input  logic                          start_i,
  input  mover_setup_t                  setup_i,
  input  logic                          stop_i,
  output mover_source_t                 source_o,
  // Contexts
  input  slot_t                         slot_i,
  input  logic                          room_i,
  output logic                          begin_o,
  output logic                          final_o,       // with begin_o: the last one of its transfer
  output context_word_t                 word_o,
  output logic                          word_valid_o,
  output logic                          go_o,
  output logic                          more_o,
  output logic                          hollow_o,      // the last one that went was empty
  // The list
  output logic          [AddrWidth-1:0] araddr_o,
  output logic          [          7:0] arlen_o,
  output logic                          arvalid_o,
  input  logic                          arready_i,
  input  logic          [         63:0] rdata_i,
  input  logic          [          1:0] rresp_i,
  input  logic                          rvalid_i,
  output logic                          rready_o
);

  // Patterns that the build does not have are an error; their list is not fetched.
  logic other, start, halted, clear, ended, bad_q, tiles_q;
  mover_error_e fetch_error, error_q;
  logic [31:0] count, index_q;
  assign other = setup_i.patterns && !Patterns;
  // Software may write the pointers of the next run meanwhile.
  logic [63:0] base_q;
  always_ff @(posedge clk_i) begin
    if (start_i) base_q <= setup_i.base_addr;
  end
  assign start  = start_i && !other;
  assign halted = stop_i || bad_q;
  assign clear  = halted && !tiles_q;

  // ---- Words ------------------------------------------------------------------------------------

  logic [63:0] word;
  logic fault, word_valid, word_ready;

  tsr_mover_fetch #(
    .AddrWidth(AddrWidth),
    .Depth    (ListDepth),
    .Burst    (ListBurst)
  ) u_fetch (
    .clk_i,
    .rst_ni,
    .start_i     (start),
    .addr_i      (setup_i.list_addr),
    .patterns_i  (setup_i.patterns && Patterns),
    .stop_i      (halted),
    .count_o     (count),
    .ended_o     (ended),
    .error_o     (fetch_error),
    .word_o      (word),
    .fault_o     (fault),
    .word_valid_o(word_valid),
    .word_ready_i(word_ready),
    .araddr_o,
    .arlen_o,
    .arvalid_o,
    .arready_i,
    .rdata_i,
    .rresp_i,
    .rvalid_i,
    .rready_o
  );

  // ---- Descriptors ------------------------------------------------------------------------------

  logic [3:0] place_q;  // of the next word of a descriptor
  mover_word_t plain, step;
  logic step_valid, step_ready, patterns_busy;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear) place_q <= '0;
    else if (word_valid && word_ready && !setup_i.patterns)
      place_q <= plain.last ? '0 : place_q + 1'b1;
  end
  assign plain = '{
          bias: place_q == '0,
          size: place_q != '0 && !place_q[0],
          inner: place_q == 4'd1 || place_q == 4'd2,
          reach: 1'b0,
          last: place_q == 4'(CuboidWords - 1),
          more: 1'b0,
          wide: 1'b0,
          error: fault ? MoverListFetch : MoverOk,
          data: word
      };

  if (Patterns) begin : gen_pattern
    mover_word_t tile;
    logic tile_valid, pattern_ready;
    tsr_mover_pattern u_pattern (
      .clk_i,
      .rst_ni,
      .clear_i(clear),
      .word_i (word),
      .fault_i(fault),
      .valid_i(word_valid && setup_i.patterns),
      .ready_o(pattern_ready),
      .busy_o (patterns_busy),
      .word_o (tile),
      .valid_o(tile_valid),
      .ready_i(step_ready)
    );
    assign step       = setup_i.patterns ? tile : plain;
    assign step_valid = setup_i.patterns ? tile_valid : word_valid;
    assign word_ready = setup_i.patterns ? pattern_ready : step_ready;
  end else begin : gen_plain
    assign step          = plain;
    assign step_valid    = word_valid;
    assign word_ready    = step_ready;
    assign patterns_busy = 1'b0;
  end

  logic done, bad, empty, hollow_q;
  mover_error_e error;
  logic [AddrWidth-1:0] outside;
  tsr_mover_cuboid #(
    .AddrWidth   (AddrWidth),
    .ElementBytes(ElementBytes),
    .Receives    (Receives)
  ) u_cuboid (
    .clk_i,
    .rst_ni,
    .clear_i  (clear),
    .base_i   (base_q),
    .setup_i,
    .word_i   (step),
    .valid_i  (step_valid),
    .ready_o  (step_ready),
    .slot_i,
    .room_i,
    .begin_o,
    .final_i  (index_q == count - 1'b1),
    .word_o,
    .word_valid_o,
    .go_o,
    .more_o,
    .empty_o  (empty),
    .done_o   (done),
    .error_o  (error),
    .outside_o(outside)
  );
  assign final_o = !step.more;

  // ---- State of the list ------------------------------------------------------------------------

  // The first reason stops everything behind it; what is before it has gone.
  logic [1:0] active_q;  // contexts that were begun and are not done
  logic [AddrWidth-1:0] outside_q;
  assign bad = done && !clear && error != MoverOk;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear) active_q <= '0;
    else active_q <= active_q + 2'(begin_o) - 2'(done);
    if (!rst_ni || start_i) begin
      index_q <= '0;
      bad_q <= 1'b0;
      tiles_q <= 1'b0;
      hollow_q <= 1'b0;
    end else begin
      index_q <= index_q + 32'(go_o && !more_o);
      bad_q   <= bad_q || bad;
      if (go_o) tiles_q <= more_o;
      if (go_o) hollow_q <= empty;
    end
    if (start_i) begin
      error_q   <= other ? MoverFormat : MoverOk;
      outside_q <= '0;
    end else if (bad) begin
      error_q <= error;
      if (error == MoverOutside) outside_q <= outside;
    end
  end

  assign hollow_o = hollow_q;
  assign source_o = '{
          ended: ended && active_q == '0 && !patterns_busy && !bad && !start_i,
          error: error_q != MoverOk ? error_q : fetch_error,
          addr: 64'(outside_q)
      };

  logic unused_setup;
  assign unused_setup = ^setup_i;

  `TSR_ASSERT(AContextIsBegun, !done || active_q != '0)
  `TSR_ASSERT(TilesHaveNoErrors, !bad || !tiles_q)

endmodule
