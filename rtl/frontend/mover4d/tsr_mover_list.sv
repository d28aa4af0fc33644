// Turns a list in memory into transfers: fetch, decode, preparation, window.
//
// Contract: `start_i` for one cycle while `source_o.ended`; its pointers count then, the rest is
// constant until it ends again. Transfers by valid/ready, one a descriptor, in the order of the
// list; the list ends with its last descriptor, or before the first one that has no transfer: then
// `source_o.error` says why. `stop_i`, a level, ends it at once: but for a transfer that is shown
// no more of them come. `source_o.ended` is not high while a word of the list is on its way.
// Latency: 8 cycles from the last word of a descriptor on the bus to its transfer; with a tile
// pattern as tsr_prepare and tsr_extent say.
// Throughput: a transfer in as many cycles as its descriptor has words.
`include "tsr_assert.svh"
module tsr_mover_list
  import tsr_pkg::*;
  import tsr_fabric_pkg::*;
  import tsr_descriptor_pkg::*;
  import tsr_mover_pkg::*;
#(
  parameter int unsigned AddrWidth    = 64,
  parameter int unsigned DataWidth    = 64,
  parameter int unsigned ElementBytes = 8,
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
  output transfer_t                     transfer_o,
  output logic                          valid_o,
  input  logic                          ready_i,
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
  logic other, start, halted, ended, bad_q, prepared, clear, shown_q;
  mover_error_e fetch_error, error_q;
  logic [31:0] count, index_q;
  assign other = setup_i.patterns && !Patterns;
  // Software may write the pointers of the next run meanwhile.
  logic [63:0] base_q;
  always_ff @(posedge clk_i) begin
    if (start_i) base_q <= setup_i.base_addr;
  end
  assign start = start_i && !other;

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
    .patterns_i  (setup_i.patterns),
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

  descriptor_t cuboid, descriptor;
  mover_error_e cuboid_error, decode_error;
  logic cuboid_ready, cuboid_valid, decoded, taken, gone;
  logic cuboid_lies, cuboid_checked, lies, checked, other_format;
  logic [AddrWidth-1:0] cuboid_outside, outside;

  tsr_mover_cuboid #(
    .AddrWidth   (AddrWidth),
    .ElementBytes(ElementBytes)
  ) u_cuboid (
    .clk_i,
    .rst_ni,
    .clear_i     (clear),
    .base_i      (base_q),
    .window_i    (setup_i.window),
    .word_i      (word),
    .fault_i     (fault),
    .valid_i     (word_valid && !other_format),
    .ready_o     (cuboid_ready),
    .descriptor_o(cuboid),
    .error_o     (cuboid_error),
    .valid_o     (cuboid_valid),
    .ready_i     (taken),
    .lies_o      (cuboid_lies),
    .outside_o   (cuboid_outside),
    .lies_valid_o(cuboid_checked),
    .lies_ready_i(gone)
  );

  if (Patterns) begin : gen_pattern
    descriptor_t  pattern;
    mover_error_e pattern_error;
    logic pattern_ready, pattern_valid;
    assign other_format = setup_i.patterns;
    tsr_mover_pattern #(
      .AddrWidth   (AddrWidth),
      .ElementBytes(ElementBytes)
    ) u_pattern (
      .clk_i,
      .rst_ni,
      .clear_i     (clear),
      .base_i      (base_q),
      .word_i      (word),
      .fault_i     (fault),
      .valid_i     (word_valid && other_format),
      .ready_o     (pattern_ready),
      .descriptor_o(pattern),
      .error_o     (pattern_error),
      .valid_o     (pattern_valid),
      .ready_i     (taken)
    );
    assign word_ready   = other_format ? pattern_ready : cuboid_ready;
    assign decoded      = cuboid_valid || pattern_valid;
    assign decode_error = other_format ? pattern_error : cuboid_error;
    assign descriptor   = other_format ? pattern : cuboid;

    // The extent of a pattern is worked out of its transfer.
    logic empty, unknown, begins, extent_done, gone_q;
    logic [AddrWidth-1:0] first, last;
    always_ff @(posedge clk_i) gone_q <= gone;
    tsr_extent #(
      .AddrWidth(AddrWidth),
      .Walk     (1'b1),
      .Bounds   (1'b0)
    ) u_extent (
      .clk_i,
      .rst_ni,
      .run_i     (prepared && other_format && !gone_q),
      .transfer_i(transfer_o),
      .done_o    (extent_done),
      .empty_o   (empty),
      .unknown_o (unknown),
      .first_o   (first),
      .last_o    (last)
    );
    assign begins = first[AddrWidth-1:PageBits] >= setup_i.window.first[AddrWidth-PageBits-1:0];
    // In the cycle after a transfer has gone the extent is still its.
    assign checked = other_format ? extent_done && !gone_q : cuboid_checked;
    assign lies    = other_format ? empty || (begins && !unknown &&
                     last[AddrWidth-1:PageBits] <= setup_i.window.last[AddrWidth-PageBits-1:0])
                   : cuboid_lies;
    assign outside = other_format ? (begins ? last : first) : cuboid_outside;
  end else begin : gen_cuboid
    assign other_format = 1'b0;
    assign word_ready   = cuboid_ready;
    assign decoded      = cuboid_valid;
    assign decode_error = cuboid_error;
    assign descriptor   = cuboid;
    assign checked      = cuboid_checked;
    assign lies         = cuboid_lies;
    assign outside      = cuboid_outside;
  end

  // ---- Transfers --------------------------------------------------------------------------------

  descriptor_t wanted;
  descriptor_error_e prepare_error;
  logic final_one, dense_packets, offer, prepare_ready, wrong, strays, unused_tag;
  assign final_one = index_q == count - 1'b1;
  assign dense_packets = setup_i.last == MoverLastNever || setup_i.last == MoverLastList;
  always_comb begin
    wanted            = descriptor;
    wanted.join_next  = dense_packets && !final_one;
    wanted.task_end   = final_one;
    wanted.last_level = 3'd0;
    wanted.finish     = FinishLength;
    unique case (setup_i.last)
      MoverLastNever:      wanted.last_rule = LastNever;
      MoverLastList:       wanted.last_rule = LastTask;
      MoverLastDescriptor: wanted.last_rule = LastTransfer;
      default:             wanted.last_rule = LastLevel;
    endcase
  end

  assign offer = decoded && decode_error == MoverOk && !clear;
  assign taken = offer && prepare_ready;

  tsr_prepare #(
    .AddrWidth(AddrWidth),
    .DataWidth(DataWidth),
    .Walk     (Patterns),
    .Bounds   (1'b0)
  ) u_prepare (
    .clk_i,
    .rst_ni,
    .flush_i     ({2{clear}}),
    .descriptor_i(wanted),
    .tag_i       (1'b0),
    .valid_i     (offer),
    .ready_o     (prepare_ready),
    .transfer_o,
    .error_o     (prepare_error),
    .tag_o       (unused_tag),
    .valid_o     (prepared),
    .ready_i     (gone)
  );

  // What is empty is never wrong.
  assign wrong   = prepared && prepare_error != ErrorNone && !transfer_o.empty;
  assign strays  = prepared && checked && !lies && !transfer_o.empty;
  assign valid_o = prepared && checked && !wrong && !strays && (!halted || shown_q);
  assign gone    = valid_o && ready_i;

  // ---- How the list stands ----------------------------------------------------------------------

  // The first reason stops everything behind it; what is before it has gone, or is in front of it.
  logic bad;
  logic [AddrWidth-1:0] outside_q;
  assign bad    = wrong || strays || (decoded && decode_error != MoverOk && !prepared);
  assign halted = stop_i || bad_q;
  // An engine has begun what it was shown: that stays until it is taken, and what is behind it goes
  // after it.
  assign clear  = halted && !shown_q;
  always_ff @(posedge clk_i) begin
    shown_q <= rst_ni && valid_o && !ready_i;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni || start_i) index_q <= '0;
    else if (taken) index_q <= index_q + 1'b1;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni || start_i) bad_q <= 1'b0;
    else if (bad) bad_q <= 1'b1;
  end
  always_ff @(posedge clk_i) begin
    if (start_i) error_q <= other ? MoverFormat : MoverOk;
    else if (!halted && bad) begin
      if (wrong) error_q <= MoverSize;
      else error_q <= strays ? MoverOutside : decode_error;
    end
    if (start_i) outside_q <= '0;
    else if (!halted && strays && !wrong) outside_q <= outside;
  end

  assign source_o = '{
          ended: ended && !decoded && !prepared && !start_i,
          error: error_q != MoverOk ? error_q : fetch_error,
          addr: 64'(outside_q)
      };

  `TSR_ASSERT_NEXT(TransferStays, valid_o && !ready_i, valid_o)

  logic unused_setup;
  assign unused_setup = ^{setup_i.window, setup_i.ram, unused_tag};

endmodule
