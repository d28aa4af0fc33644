// The registers of the control packets.
//
// Contract: `refused_o` belongs to `word_i`: it is one of these registers, and locked. A write of any other word
// changes nothing here. `data_o` is 0 for other words. Errors are kept outside; `clear_o` is one cycle long.
// Latency: 0 cycles to read, 1 to write. Throughput: one access a cycle.
`include "tsr_assert.svh"
module tsr_native_packets
  import tsr_register_pkg::*;
  import tsr_registers_pkg::*;
(
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  global_word_e         word_i,
  input  logic                 write_i,      // never while `refused_o`
  input  logic          [31:0] data_i,
  output logic                 refused_o,
  input  global_word_e         read_word_i,
  output logic          [31:0] data_o,
  output packet_setup_t        setup_o,
  input  logic          [ 3:0] errors_i,
  output logic          [ 3:0] clear_o
);

  localparam int unsigned Bits = RegisterBits;

  logic locked_q;

  assign refused_o = locked_q &&
      (word_i == GlobalPacketControl || word_i == GlobalPacketFirst || word_i == GlobalPacketLast);
  assign clear_o = data_i[3:0] & {4{write_i && word_i == GlobalPacketStatus}};

  function automatic logic [31:0] shown(global_word_e word, packet_setup_t setup, logic locked,
                                        logic [3:0] errors);
    case (word)
      GlobalPacketControl: return {locked, 29'd0, setup.check_last, setup.enable};
      GlobalPacketFirst:   return 32'({setup.first, 2'd0});
      GlobalPacketLast:    return 32'({setup.last, 2'd0});
      GlobalPacketStatus:  return 32'(errors);
      default:             return '0;
    endcase
  endfunction

  assign data_o = shown(read_word_i, setup_o, locked_q, errors_i);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      setup_o  <= '0;
      locked_q <= 1'b0;
    end else if (write_i) begin
      case (word_i)
        GlobalPacketControl:
        {locked_q, setup_o.check_last, setup_o.enable} <= {data_i[31], data_i[1:0]};
        GlobalPacketFirst: setup_o.first <= 18'(data_i[Bits-1:2]);
        GlobalPacketLast: setup_o.last <= 18'(data_i[Bits-1:2]);
        default: ;
      endcase
    end
  end

  logic unused_data;
  assign unused_data = ^data_i;

  `TSR_ASSERT(LockedStays, !(write_i && refused_o))

endmodule
