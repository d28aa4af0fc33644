// Fetches what is asked for, in order, and writes it row by row to the RAM of the preparation.
//
// Contract. A request is a burst at `target_i`, while the bus is free; one with a reason is done when its turn
// comes, and all are after a fault of the direction . What went wrong becomes row 3 of the
// descriptor, which is not valid then, with the reason in bits 5:0 of word 15; so does a descriptor that
// is not valid. A base tells which extensions its descriptor has (`wanted_o`); those it has no room
// for, and those that the build has not, are not asked for. `came_o`: the first 64 bytes, all.
// Latency: a request to ARVALID 1 cycle, the last beat of a descriptor to `came_o` 1. Throughput: a beat
// a cycle up to 128 bits, a row a cycle above.
`include "tsr_assert.svh"
`include "tsr_port_types.svh"
module tsr_list_fetch
  import tsr_fabric_pkg::axi_attr_t;
  import tsr_program_pkg::*;
  import tsr_channel_pkg::*;
  import tsr_descriptor_pkg::*;
  import tsr_list_unit_pkg::*;
#(
  parameter  int unsigned Channels    = 2,                                      // 1..32
  parameter  int unsigned AddrWidth   = 64,
  parameter  int unsigned ListWidth   = 64,                                     // 64, 128, 256, 512
  parameter  int unsigned Outstanding = 16,                                     // a power of two
  parameter  int unsigned Ahead       = 16,
  parameter  int unsigned IdWidth     = 2,                                      // 1..8
  parameter  bit          Guard       = 1'b1,
  parameter  int unsigned Silence     = 4096,                                   // ticks
  parameter  bit          Walk        = 1'b1,
  parameter  bit          Bounds      = 1'b1,
  localparam int unsigned Index       = Channels > 1 ? $clog2(Channels) : 1,
  localparam type         ax_t        = `TSR_PORT_AX_T(AddrWidth, IdWidth),
  localparam type         r_t         = `TSR_PORT_R_T(ListWidth / 8, IdWidth),
  localparam type         rd_req_t    = `TSR_PORT_RD_REQ_T(ax_t),
  localparam type         rd_rsp_t    = `TSR_PORT_RD_RSP_T(r_t)
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  list_watch_t                  watch_i,
  input  logic          [Channels-1:0] active_i,
  input  list_request_t                request_i,
  input  logic                         request_valid_i,
  input  list_target_t                 target_i,
  output list_wanted_t                 wanted_o,
  output list_came_t                   came_o,
  // RAM of the preparation.
  output list_row_t                    row_o,
  output logic                         row_valid_o,
  input  logic                         row_ready_i,
  // Bus.
  output list_way_t                    way_o,
  output rd_req_t                      rd_o,
  input  rd_rsp_t                      rd_i
);

  localparam int unsigned Slot = $clog2(Ahead);

  // The oldest request is in registers.
  list_request_t request, queued;
  logic ready, request_valid, queued_valid, pops, loads;
  tsr_fifo #(
    .Depth(Outstanding),
    .T    (list_request_t)
  ) u_requests (
    .clk_i,
    .rst_ni,
    .flush_i(1'b0),
    .data_i (request_i),
    .valid_i(request_valid_i),
    .ready_o(ready),
    .data_o (queued),
    .valid_o(queued_valid),
    .ready_i(loads)
  );
  assign loads = !request_valid || pops;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) request_valid <= 1'b0;
    else if (loads) request_valid <= queued_valid;
    if (loads) request <= queued;
  end

  // ---- The bus ----------------------------------------------------------------------------------

  logic bus_free, failed, ar_valid_q, owed, mine, burst_end;
  logic [AddrWidth-1:6] addr_q;
  axi_attr_t attr_q;
  fault_e wrong, fault;
  logic [IdWidth-1:0] epoch;
  assign bus_free = !ar_valid_q || rd_i.ar_ready;
  assign mine = rd_i.r.id == epoch;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) ar_valid_q <= 1'b0;
    else if (bus_free) ar_valid_q <= request_valid_i && request_i.code == CodeNone;
    if (bus_free) {addr_q, attr_q} <= {target_i.addr[AddrWidth-1:6], target_i.attr};
  end
  assign rd_o.ar = '{
          id: epoch,
          addr: {addr_q, 6'd0},
          len: 8'(512 / ListWidth - 1),
          attr: attr_q
      };
  assign rd_o.ar_valid = ar_valid_q;
  assign way_o = '{
          ready: ready,
          free: bus_free,
          failed: failed,
          rests: !ar_valid_q && !owed,
          fault: fault
      };

  logic row_valid_q;
  tsr_list_fault #(
    .Guard      (Guard),
    .Outstanding(Outstanding + 1),  // one is in a register
    .Silence    (Silence),
    .IdWidth    (IdWidth)
  ) u_fault (
    .clk_i,
    .rst_ni,
    .watch_i,
    .rests_i (!request_valid && !queued_valid && !row_valid_q && !ar_valid_q),
    .sent_i  (ar_valid_q && rd_i.ar_ready),
    .end_i   (burst_end),
    .waits_i (ar_valid_q),
    .moves_i (rd_i.r_valid && mine),
    .goes_i  (ar_valid_q && rd_i.ar_ready),
    .wrong_i (wrong),
    .owed_o  (owed),
    .failed_o(failed),
    .fault_o (fault),
    .epoch_o (epoch)
  );

  logic [127:0] row;
  logic [  1:0] number;
  logic [  3:0] code;
  logic row_loads, row_ends, moves;
  tsr_list_rows #(
    .ListWidth(ListWidth),
    .Guard    (Guard)
  ) u_rows (
    .clk_i,
    .rst_ni,
    .request_i      (request),
    .request_valid_i(request_valid),
    .failed_i       (failed),
    .owed_i         (owed),
    .wrong_o        (wrong),
    .end_o          (burst_end),
    .mine_i         (mine),
    .data_i         (rd_i.r.data),
    .resp_i         (rd_i.r.resp),
    .last_i         (rd_i.r.last),
    .valid_i        (rd_i.r_valid),
    .ready_o        (rd_o.r_ready),
    .row_o          (row),
    .number_o       (number),
    .code_o         (code),
    .row_valid_o    (row_loads),
    .row_ready_i    (moves),
    .ends_o         (row_ends)
  );
  assign pops = row_loads && moves && row_ends;

  // ---- Descriptors from rows --------------------------------------------------------------------

  list_request_t row_request;
  logic active, row_ends_q, base, bad, comes, wants, bounds, walk, there, fits;
  logic [1:0] row_at_q, count;
  logic [3:0] row_code_q;
  descriptor_row3_t data_q, data;
  assign moves = !row_valid_q || row_ready_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) row_valid_q <= 1'b0;
    else if (moves) row_valid_q <= row_loads;
    if (moves) begin
      row_request <= request;
      active      <= active_i[request.channel[Index-1:0]];
      row_ends_q  <= row_ends;
      row_at_q    <= number;
      row_code_q  <= code;
      data_q      <= row;
    end
  end
  assign base        = row_request.area == AreaBase;
  assign bounds      = data_q.flags.has_bounds;
  assign walk        = data_q.flags.has_walk;
  assign there       = (bounds || walk) && (Bounds || !bounds) && (Walk || !walk);
  assign count       = 2'(bounds) + 2'(walk);
  assign fits        = !base || count <= row_request.pitch;
  // The last row is written with what became of the burst.
  assign bad         = row_ends_q && (row_code_q != CodeNone || !fits);
  // Row 3 of a traversal is not the list's.
  assign row_valid_o = row_valid_q && (bad || !(row_request.area == AreaWalk && row_ends_q));
  assign row_o.place = 8'({row_request.channel, row_request.slot[Slot-1:0]});
  assign row_o.area  = bad ? AreaBase : descriptor_area_e'(row_request.area);
  assign row_o.row   = bad ? 2'd3 : row_at_q;
  always_comb begin
    data = data_q;
    if (bad || (base && row_ends_q && !data_q.flags.valid)) data.flags[5:0] = LoadInvalid;
    if (bad) begin
      data.flags.valid    = 1'b0;
      data.flags.has_walk = 1'b0;
      data.flags[3:0]     = row_code_q != CodeNone ? row_code_q : CodePitch;
    end
  end
  assign row_o.data = data;

  assign comes = row_valid_q && row_ready_i && row_ends_q;
  assign wants = base && !bad && there && active;
  assign came_o = '{
          base: comes && base,
          whole: comes && (base ? !wants : row_request.last),
          spoilt: row_code_q == CodeFault,
          coming: pops,
          coming_channel: request.channel,
          channel: row_request.channel,
          slot: row_request.slot,
          parity: row_request.parity,
          bad: bad,
          turn_end: row_request.ring ? !data_q.next.has_next : row_request.at_end,
          at_end: row_request.at_end
      };

  always_ff @(posedge clk_i) begin
    wanted_o <= '{
        valid: rst_ni && comes && wants,
        channel: row_request.channel,
        slot: row_request.slot,
        bounds: Bounds && bounds,
        walk: Walk && walk
    };
  end

  logic unused_row;
  assign unused_row = ^{row_request, target_i};

  `TSR_STATIC_ASSERT(Outstanding, Outstanding >= 4 && Outstanding <= 32 && $onehot(Outstanding),
                     ("Outstanding = %0d; legal is 4, 8, 16, 32", Outstanding))
  `TSR_ASSERT(RequestsFindRoom, !request_valid_i || ready)
  `TSR_STABLE(AddressStays, ar_valid_q, rd_i.ar_ready, {addr_q, attr_q})

endmodule
