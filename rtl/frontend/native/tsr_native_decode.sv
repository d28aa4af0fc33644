// Who answers an address of the register space.
//
// Contract: combinational. `region_o` has one bit, or none if nothing is mapped there in this build;
// within a group of registers the group knows its words. `channel_o` is a place in arrays that hold the
// read channels first.
// Latency: 0 cycles.
`include "tsr_assert.svh"
module tsr_native_decode
  import tsr_register_pkg::*;
#(
  parameter int unsigned Reads      = 1,
  parameter int unsigned Writes     = 1,
  parameter int unsigned Locks      = 16,
  parameter int unsigned Windows    = 0,
  parameter bit          Extensions = 1'b0
) (
  input  logic    [RegisterBits-1:2] word_i,
  output region_t                    region_o,
  output logic    [             4:0] channel_o
);

  `TSR_STATIC_ASSERT(Reads, Reads >= 1 && Reads <= 16, ("Reads = %0d; legal is 1 to 16", Reads))
  `TSR_STATIC_ASSERT(Writes, Writes >= 1 && Writes <= 16,
                     ("Writes = %0d; legal is 1 to 16", Writes))
  `TSR_STATIC_ASSERT(Locks, Locks <= 64, ("Locks = %0d; legal is 0 to 64", Locks))
  `TSR_STATIC_ASSERT(Windows, Windows <= 16, ("Windows = %0d; legal is 0 to 16", Windows))


  // Channels, in their registers and in the windows.
  logic windows, channels, writes, exists;
  logic [3:0] number;
  assign windows   = word_i[17:14] == 4'h4;
  assign channels  = word_i[17:12] == 6'h01 || word_i[17:12] == 6'h02;
  assign writes    = word_i[13];
  assign number    = Windows != 0 && word_i[16] ? word_i[12:9] : word_i[11:8];
  assign exists    = writes ? 5'(number) < 5'(Writes) : 5'(number) < 5'(Reads);
  assign channel_o = writes ? 5'(Reads) + 5'(number) : 5'(number);

  logic [5:0] lock, try;
  assign lock = word_i[9:4];
  assign try  = word_i[14:9];

  // A comparison with 0 would be constant.
  logic has_window, has_lock, has_try;
  if (Windows == 0) begin : gen_no_windows
    assign has_window = 1'b0;
  end else begin : gen_windows
    assign has_window = 5'(word_i[8:5]) < 5'(Windows);
  end
  if (Locks == 0) begin : gen_no_locks
    assign {has_lock, has_try} = '0;
    logic unused_locks;
    assign unused_locks = ^{lock, try};
  end else begin : gen_locks
    assign has_lock = 7'(lock) < 7'(Locks);
    assign has_try  = 7'(try) < 7'(Locks);
  end

  always_comb begin
    region_o            = '0;
    region_o.globals    = word_i[17:8] == '0;
    region_o.channel    = channels && exists && !word_i[7];
    region_o.extension  = Extensions && channels && exists && word_i[7];
    region_o.count_lock = word_i[17:10] == 8'h0c && !word_i[3] && has_lock;
    region_o.try_lock   = word_i[17:15] == 3'd1 && has_try;
    region_o.window     = windows && exists && has_window && word_i[4:2] < 3'd5;
    region_o.memory     = word_i[17:16] == 2'd2 && (word_i[15:14] != 2'd3 || word_i[13:10] == '0);
  end

endmodule
