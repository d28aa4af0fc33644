// Descriptor RAM: rows of 128 bits, read by the preparation, written word by word by software.
//
// Contract: `read_i` gives the row on `row_o` two cycles later, where it stays until the next
// one. Words of `put_i` are written at once. A part of a list is written with `list_valid_i`
// and `list_ready_o`. Accesses of software wait for `grant_i`, which the preparation gives
// while it does not read; `access_waits_o` asks for it, and none may read while
// `access_busy_o`. A write of word 15 of a descriptor sets `valid` and the turns of its
// iteration to 0; a write of another word but the turns clears `valid`. What is not there, and
// what has no name, answers with an error. After reset every word is 0: that takes a cycle a
// row.
// Latency: a write 1 cycle after its grant, a read 2; without grant, 1 cycle, what is not
// there.
// Throughput: a row a cycle read, one written.
`include "tsr_assert.svh"
module tsr_prep_memory
  import tsr_channel_pkg::*;
  import tsr_program_pkg::list_row_t;
  import tsr_prep_pkg::*;
#(
  parameter int unsigned Descriptors = 16,    // 1 .. 256
  parameter int unsigned Places      = 0,     // of lists, behind the descriptors; 0 .. 128
  parameter int unsigned Channels    = 2,     // 1 .. 32
  parameter bit          Walk        = 1'b1,
  parameter bit          Bounds      = 1'b1
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // Preparation
  input  read_t                      read_i,
  output logic               [127:0] row_o,
  output logic               [  3:0] zeros_o,         // in the upper bytes of word 2 of it
  output logic                       written_o,       // the descriptor of the row is valid
  input  write_t                     put_i,
  input  logic               [ 63:0] sum_i,           // A
  // Lists
  input  logic                       list_valid_i,
  output logic                       list_ready_o,
  input  list_row_t                  list_i,
  // Software
  input  descriptor_access_t         access_i,
  input  logic                       access_valid_i,
  output logic                       access_ready_o,
  output logic                       access_error_o,
  output logic                       access_waits_o,
  output logic                       access_busy_o,
  input  logic                       grant_i
);

  localparam int unsigned Least = Walk && Channels > Descriptors + Places ? Channels :
                                  Descriptors + Places;
  localparam int unsigned IndexWidth = Least < 2 ? 1 : $clog2(Least);
  // Without extensions the turns stand behind the words of a descriptor.
  localparam int unsigned AreaWidth = Walk || Bounds ? 2 : 1;
  localparam int unsigned Width = IndexWidth + AreaWidth + 2;
  typedef logic [Width-1:0] address_t;

  function automatic address_t address(logic [IndexWidth-1:0] index, logic [AreaWidth-1:0] area,
                                       logic [1:0] row);
    return {index, area, row};
  endfunction

  // ---- Software

  typedef enum logic [1:0] {
    Sweep,
    Free,
    Look,
    Answer
  } at_e;
  at_e at_q;
  // Places of lists need no zeros.
  localparam address_t SweepEnd = {IndexWidth'(Descriptors - 1), {AreaWidth + 2{1'b1}}};
  address_t sweep_q;
  logic known, names, commits, starts, waits_q, refused_q;

  function automatic logic exists(descriptor_area_e area, logic [3:0] word);
    unique case (area)
      AreaBase:   return 1'b1;
      AreaBounds: return Bounds && word != 4'd11;
      AreaWalk:   return Walk && word < 4'd9;
      AreaTurns:  return word == 4'd0;
      default:    return 1'b0;
    endcase
  endfunction
  assign known = 32'(access_i.descriptor) < Descriptors && exists(access_i.area, access_i.word);
  assign names = access_i.write && access_i.strobe != '0;
  assign commits = access_i.area == AreaBase && access_i.word == 4'd15;
  assign access_waits_o = waits_q;
  assign access_busy_o = at_q != Free;
  assign access_error_o = refused_q;
  assign access_ready_o = at_q == Answer || (at_q == Free && refused_q);
  assign starts = at_q == Free && grant_i;

  always_ff @(posedge clk_i) begin
    // What is asked in this cycle is looked at in the next one.
    waits_q   <= rst_ni && at_q == Free && access_valid_i && known && !starts;
    refused_q <= rst_ni && at_q == Free && access_valid_i && !known && !refused_q;
    if (!rst_ni) begin
      at_q    <= Sweep;
      sweep_q <= '0;
    end else begin
      unique case (at_q)
        Sweep:   if (sweep_q == SweepEnd) at_q <= Free;
        Free:    if (starts) at_q <= access_i.write ? Answer : Look;
        Look:    at_q <= Answer;
        default: at_q <= Free;
      endcase
      if (at_q == Sweep) sweep_q <= sweep_q + 1'b1;
    end
  end

  // ---- Reads: a register behind the memory

  read_t read;
  logic read_q, half_q, valid, valid_q;
  logic [127:0] read_row_q, row_q;
  logic [3:0] zeros;
  always_comb begin
    read = read_i;
    if (starts) begin
      read = '{
          valid: !access_i.write,
          half: 1'b0,
          index: 9'(access_i.descriptor),
          area: access_i.area,
          row: access_i.word[3:2]
      };
    end
  end

  (* ram_style = "block", no_rw_check *) logic [127:0] row_mem[2**Width];
  (* ram_style = "distributed" *) logic [0:0] valid_mem[2**IndexWidth];
  for (genvar n = 0; n < 4; n++) begin : gen_zeros
    assign zeros[n] = read_row_q[72+6*n+:6] == '0;
  end
  assign valid = valid_mem[read.index[IndexWidth-1:0]][0];
  always_ff @(posedge clk_i) begin
    if (read.valid)
      read_row_q <= row_mem[address(read.index[IndexWidth-1:0], AreaWidth'(read.area), read.row)];
    read_q <= rst_ni && read.valid;
    half_q <= read.half;
    if (read.valid) valid_q <= valid;
    if (read_q) begin
      row_q[63:0] <= read_row_q[63:0];
      written_o   <= valid_q;
      if (!half_q) begin
        row_q[127:64] <= read_row_q[127:64];
        zeros_o       <= zeros;
      end
    end
  end
  assign row_o = row_q;

  // ---- Writes: the sweep, words of the preparation, a list, software and then the turns

  logic write, list_write;
  address_t write_address;
  logic [15:0] bytes;
  logic [127:0] data;
  // Words of a pair, in a form that is a LUT for each bit.
  typedef enum logic [1:0] {
    Zero,
    Software,
    LowSum,
    Other      // ones in the lower word, the upper half of the sum in the upper one
  } source_e;
  source_e low_source, high_source;
  logic [31:0] low, high;
  logic [8:0] list_index;
  assign list_index   = 9'(list_i.place) + 9'(Descriptors);
  assign list_ready_o = Places != 0 && !put_i.valid && (at_q == Look || (at_q == Free && !starts));
  assign list_write   = list_valid_i && list_ready_o;
  always_comb begin
    write = starts && names;
    write_address =
        address(IndexWidth'(access_i.descriptor), AreaWidth'(access_i.area), access_i.word[3:2]);
    bytes = 16'(access_i.strobe) << {access_i.word[1:0], 2'b00};
    if (access_i.area == AreaTurns) bytes[3:2] = '0;  // 16 bits
    low_source  = Software;
    high_source = Software;
    if (at_q == Answer) begin
      write         = names && commits;
      write_address = address(IndexWidth'(access_i.descriptor), AreaWidth'(AreaTurns), 2'd0);
      bytes         = 16'h000f;
    end
    if (at_q inside {Answer, Sweep}) {low_source, high_source} = {Zero, Zero};
    if (list_write) begin
      write         = 1'b1;
      write_address = address(list_index[IndexWidth-1:0], AreaWidth'(list_i.area), list_i.row);
      bytes         = '1;
    end
    if (put_i.valid) begin
      write         = 1'b1;
      write_address = address(put_i.index[IndexWidth-1:0], AreaWidth'(put_i.area), put_i.row);
      for (int unsigned w = 0; w < 4; w++) bytes[4*w+:4] = {4{put_i.words[w]}};
      low_source  = put_i.clear ? Zero : put_i.full ? Other : LowSum;
      high_source = put_i.pair ? Other : LowSum;
    end
    if (at_q == Sweep) begin
      write         = 1'b1;
      write_address = sweep_q;
      bytes         = '1;
    end
  end
  always_comb begin
    unique case (low_source)
      Zero:     low = '0;
      Software: low = access_i.data;
      LowSum:   low = sum_i[31:0];
      default:  low = '1;
    endcase
    unique case (high_source)
      Zero:     high = '0;
      Software: high = access_i.data;
      LowSum:   high = sum_i[31:0];
      default:  high = sum_i[63:32];
    endcase
    data = list_write ? list_i.data : {2{high, low}};
  end
  always_ff @(posedge clk_i) begin
    for (int unsigned b = 0; b < 16; b++) begin
      if (write && bytes[b]) row_mem[write_address][8*b+:8] <= data[8*b+:8];
    end
  end

  logic changes, sweeps;
  logic [IndexWidth-1:0] changed;
  assign sweeps = at_q == Sweep;
  assign changes = sweeps || (starts && names && access_i.area != AreaTurns &&
                              (!commits || access_i.strobe[3]));
  assign changed = sweeps ? sweep_q[Width-1-:IndexWidth] : IndexWidth'(access_i.descriptor);
  always_ff @(posedge clk_i) begin
    if (changes) valid_mem[changed] <= !sweeps && commits && access_i.data[31];
  end

  logic unused_index;
  assign unused_index = ^{read.index, read.area, put_i.index, put_i.area, list_index, list_i};

  `TSR_STATIC_ASSERT(Descriptors, Descriptors >= 1 && Descriptors <= 256,
                     ("Descriptors = %0d; legal is 1 to 256", Descriptors))
  `TSR_STATIC_ASSERT(Places, Places <= 128, ("Places = %0d; legal is 0 to 128", Places))
  `TSR_STATIC_ASSERT(Channels, Channels >= 1 && Channels <= 32,
                     ("Channels = %0d; legal is 1 to 32", Channels))
  `TSR_ASSERT(GrantsWhatWaits, !grant_i || access_waits_o)
  `TSR_ASSERT_NEXT(ZerosAreTrue, read_q && !half_q, (zeros_o == '1) == (row_q[95:72] == '0))
  `TSR_ASSERT(NoReadMeanwhile, !read_i.valid || at_q == Free)
  `TSR_ASSERT(NoWriteMeanwhile, !put_i.valid || at_q == Free)

endmodule
