// Walks the words of AXI4 bursts.
//
// Contract: bursts in their order; `word_o` is the word of the beat, until `next_i`. With Full, bursts have any
// AxSIZE up to the bus and any AxBURST; without, all are INCR of the full width.
// Latency: 1 cycle. Throughput: a beat a cycle, also from burst to burst. With Full no path from next_i to
// ready_o.
`include "tsr_assert.svh"
`include "tsr_port_types.svh"
module tsr_onchip_burst #(
  parameter int unsigned AddrBits = 16,  // of a byte of the buffer
  parameter int unsigned BusLog = 3,  // log2 of the bytes of the bus
  parameter int unsigned IdWidth = 4,
  parameter bit Full = 1'b0,
  localparam type ax_t = `TSR_PORT_ANY_AX_T(AddrBits, IdWidth)
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  ax_t                        ax_i,
  input  logic                       valid_i,
  output logic                       ready_o,
  output logic [AddrBits-BusLog-1:0] word_o,
  output logic [        IdWidth-1:0] id_o,
  output logic                       last_o,
  output logic                       valid_o,
  input  logic                       next_i
);

  ax_t ax, ax_q;
  logic ax_valid, load, valid_q, last_q;
  // A port has its address in a register.
  if (Full) begin : gen_skid
    tsr_skid #(
      .T(ax_t)
    ) u_skid (
      .clk_i,
      .rst_ni,
      .data_i (ax_i),
      .valid_i,
      .ready_o,
      .data_o (ax),
      .valid_o(ax_valid),
      .ready_i(load)
    );
  end else begin : gen_direct
    assign {ax, ax_valid, ready_o} = {ax_i, valid_i, load};
  end

  typedef logic [AddrBits-1:0] place_t;
  place_t next;
  if (Full) begin : gen_full
    logic [ 7:0] bytes;  // of a beat
    logic [11:0] span;  // of a burst that wraps, which has up to 16 beats: its bytes, minus 1
    place_t stepped, around;
    assign bytes   = 8'd1 << ax_q.size;
    assign span    = ((12'(ax.len[3:0]) + 12'd1) << ax.size) - 12'd1;
    assign stepped = ax_q.addr + place_t'(bytes);
    always_ff @(posedge clk_i) if (load) around <= place_t'(span);
    always_comb begin
      unique case (ax_q.burst)
        2'b00:   next = ax_q.addr;
        2'b10:   next = (ax_q.addr & ~around) | (stepped & around);
        default: next = stepped;
      endcase
    end
  end else begin : gen_plain
    assign next = ax_q.addr + place_t'(2 ** BusLog);
    logic unused_kind;
    assign unused_kind = ^{ax_q.size, ax_q.burst};
  end

  assign load    = !valid_q || (next_i && last_q);
  assign word_o  = ax_q.addr[AddrBits-1:BusLog];
  assign id_o    = ax_q.id;
  assign last_o  = last_q;
  assign valid_o = valid_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= 1'b0;
    else if (load) valid_q <= ax_valid;
    if (load) begin
      ax_q   <= ax;
      last_q <= ax.len == '0;
    end else if (next_i) begin
      ax_q.addr <= next;
      ax_q.len  <= ax_q.len - 1'b1;
      last_q    <= ax_q.len == 8'd1;
    end
  end

  `TSR_STABLE(WordStays, valid_o, next_i, word_o)

endmodule
