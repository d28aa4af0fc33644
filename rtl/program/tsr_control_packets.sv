// Lets packets of a stream read and write registers.
//
// Contract. A packet is, with Headed, a stream header, then a control word, then the words of a write; TLAST
// ends it. Control word: 19:0 byte address, 21:20 words minus 1, 23:22 0 write, 1 read, 2 and 3 write,
// 28:24 id of the response, 31 odd parity. Words go to consecutive addresses; those of operation 0 do so
// only with WriteIncrements, else all to one. A read is answered by a packet of a stream header with that
// id and the words; a write is not answered. Words outside `first_i` .. `last_i` (addresses of words, both
// included), at addresses that are not of a word, or refused by the register bus are not written and read
// as 0. Whether it is enabled is looked at when a packet begins; without `enable_i` packets are dropped.
//
// Errors, kept until `clear_i`: 0 parity of the stream header, 1 of the control word: the packet is
// dropped; 2 a word was refused; 3 TLAST did not come with the last word: what came before was written,
// a read is not executed, the rest is dropped up to TLAST. Without `check_last_i` a packet that goes
// on is no error, and what follows its last word is the next packet. So no packet, whatever its form,
// holds up the stream: only the register bus and a response that is not taken do.
//
// Latency: a write is on the bus in the cycle of its word; the response begins 1 cycle after the control
// word, and its first data word comes 1 cycle after the answer of the bus. Throughput: a word written a cycle,
// a word read every second cycle, as the bus allows. A path from tvalid to the bus and from the bus to tready.
`include "tsr_assert.svh"
module tsr_control_packets
  import tsr_packet_pkg::*;
  import tsr_register_pkg::*;
#(
  parameter bit          Headed          = 1'b1,
  parameter bit          WriteIncrements = 1'b1,
  parameter int unsigned AddrBits        = RegisterBits
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  // Set up.
  input  logic                enable_i,
  input  logic                check_last_i,
  input  logic         [ 6:0] column_i,      // of the response
  input  logic         [ 4:0] row_i,
  input  logic         [19:2] first_i,
  input  logic         [19:2] last_i,
  output logic         [ 3:0] errors_o,
  input  logic         [ 3:0] clear_i,
  // Packets.
  input  logic         [31:0] tdata_i,
  input  logic                tlast_i,
  input  logic                tvalid_i,
  output logic                tready_o,
  // Responses.
  output logic         [31:0] tdata_o,
  output logic                tlast_o,
  output logic                tvalid_o,
  input  logic                tready_i,
  // Register bus.
  output bus_request_t        bus_o,
  output logic                bus_valid_o,
  input  logic                bus_ready_i,
  input  bus_answer_t         bus_i
);

  `TSR_STATIC_ASSERT(Address, AddrBits <= 20, ("AddrBits = %0d; legal is up to 20", AddrBits))

  typedef struct packed {
    logic        parity;
    logic [1:0]  zero;
    logic [4:0]  id;
    logic [1:0]  operation;
    logic [1:0]  words;      // minus 1
    logic [19:0] address;
  } control_t;

  typedef enum logic [2:0] {
    StreamHeader,
    ControlWord,
    Write,
    Respond,       // the header of the response
    Read,
    Drop           // up to TLAST
  } state_e;

  localparam state_e Begin = Headed ? StreamHeader : ControlWord;

  state_e state_q, state_d;
  control_t word, now_q, now_d;
  logic [3:0] wrong;
  logic allowed, refused, moves, out_free, put, odd;
  logic [31:0] put_data;
  logic out_valid_q, out_last_q;
  logic [31:0] out_data_q;

  assign word = control_t'(tdata_i);
  assign odd = ^tdata_i;
  assign allowed = now_q.address[1:0] == '0 && now_q.address[19:2] >= first_i &&
                   now_q.address[19:2] <= last_i && 32'(now_q.address) >> AddrBits == '0;

  // ---- The bus ----------------------------------------------------------------------------------

  assign bus_o.write = state_q == Write;
  assign bus_o.word = now_q.address[BusBits-1:2];
  assign bus_o.data = tdata_i;
  assign bus_o.strobe = '1;
  assign bus_valid_o = allowed && ((state_q == Write && tvalid_i) || (state_q == Read && out_free));
  assign refused = !allowed || bus_i.error;

  // ---- One word at a time -----------------------------------------------------------------------

  assign out_free = !out_valid_q;

  always_comb begin
    state_d  = state_q;
    now_d    = now_q;
    wrong    = '0;
    tready_o = 1'b0;
    put      = 1'b0;
    put_data = sealed('{id: now_q.id, row: row_i, column: column_i, default: '0});
    moves    = 1'b0;  // a word has been written or read
    case (state_q)
      StreamHeader: begin
        tready_o = 1'b1;
        if (tvalid_i) begin
          wrong[0] = enable_i && !odd;
          wrong[3] = enable_i && odd && tlast_i;
          state_d  = tlast_i ? StreamHeader : enable_i && odd ? ControlWord : Drop;
        end
      end
      ControlWord: begin
        tready_o = 1'b1;
        now_d    = word;
        if (tvalid_i) begin
          if (!Headed && !enable_i) begin
            state_d = tlast_i ? Begin : Drop;
          end else if (!odd) begin
            wrong[1] = 1'b1;
            state_d  = tlast_i ? Begin : Drop;
          end else if (word.operation == 2'd1) begin
            wrong[3] = !tlast_i && check_last_i;
            state_d  = wrong[3] ? Drop : Respond;
          end else begin
            wrong[3] = tlast_i;
            state_d  = tlast_i ? Begin : Write;
          end
        end
      end
      Write: begin
        tready_o = !allowed || bus_ready_i;
        moves    = tvalid_i && tready_o;
        if (moves) begin
          wrong[2] = refused;
          wrong[3] = now_q.words != '0 ? tlast_i : !tlast_i && check_last_i;
          if (tlast_i) state_d = Begin;
          else if (now_q.words == '0) state_d = check_last_i ? Drop : Begin;
        end
      end
      Respond: begin
        put = out_free;
        if (put) state_d = Read;
      end
      Read: begin
        moves    = out_free && (!allowed || bus_ready_i);
        put      = moves;
        put_data = refused ? '0 : bus_i.data;
        if (moves) begin
          wrong[2] = refused;
          if (now_q.words == '0) state_d = Begin;
        end
      end
      default: begin  // Drop
        tready_o = 1'b1;
        if (tvalid_i && tlast_i) state_d = Begin;
      end
    endcase
    if (moves) begin
      now_d.words = now_q.words - 1'b1;
      if (now_q.operation != 2'd0 || WriteIncrements) now_d.address = now_q.address + 20'd4;
    end
  end

  always_ff @(posedge clk_i) begin
    now_q <= now_d;
    if (put) out_data_q <= put_data;
    if (put) out_last_q <= state_q == Read && now_q.words == '0;
    if (!rst_ni) begin
      state_q     <= Begin;
      out_valid_q <= 1'b0;
      errors_o    <= '0;
    end else begin
      state_q     <= state_d;
      out_valid_q <= put || (out_valid_q && !tready_i);
      errors_o    <= (errors_o & ~clear_i) | wrong;
    end
  end

  assign tdata_o  = out_data_q;
  assign tlast_o  = out_last_q;
  assign tvalid_o = out_valid_q;

  logic unused_now;
  assign unused_now = ^{now_q.parity, now_q.zero};

  // A word that waits is taken back where another master shrinks the window.
  logic [$bits(bus_o.word)+32:0] request;
  assign request = {bus_o.write, bus_o.word, bus_o.write ? bus_o.data : 32'd0};
  `TSR_ASSERT_NEXT(RequestStays, bus_valid_o && !bus_ready_i,
                   !allowed || (bus_valid_o && request == $past(request)))
  `TSR_STABLE(ResponseStays, tvalid_o, tready_i, {tdata_o, tlast_o})
  logic [19:2] bus_word;
  assign bus_word = 18'(bus_o.word);
  `TSR_ASSERT(InsideTheWindow, !bus_valid_o || (bus_word >= first_i && bus_word <= last_i))

endmodule
