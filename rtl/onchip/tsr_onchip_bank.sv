// A bank of the on-chip buffer: serves one read and one write a cycle, in turn, and protects what it stores.
//
// Contract: requests stay until they are granted. `answer_o` belongs to the client in `answer_client_o`, two cycles
// after its grant, three with a check. With CheckEcc a write of a part of a group reads it first: for 4 cycles nothing else
// is granted. If what it reads is lost, the group stays lost. `inject_i`: 1 or 2 bits of the
// first group that the last client writes are stored wrong; 3: one of its check.
// Latency: 0 cycles from request to grant. Throughput: a read and a write a cycle.
`include "tsr_assert.svh"
module tsr_onchip_bank
  import tsr_descriptor_pkg::*;
  import tsr_onchip_pkg::*;
#(
  parameter  int unsigned Clients = 2,
  parameter  int unsigned Rows    = 512,
  parameter  int unsigned Lanes   = 8,
  parameter  int unsigned Check   = 0,
  localparam int unsigned RowBits = $clog2(Rows)
) (
  input  logic                                 clk_i,
  input  logic                                 rst_ni,
  input  logic [Clients-1:0][RowBits-1:0]      read_row_i,
  input  logic [Clients-1:0]                   read_valid_i,
  output logic [Clients-1:0]                   read_granted_o,
  input  logic [Clients-1:0][RowBits-1:0]      write_row_i,
  input  logic [Clients-1:0][  Lanes-1:0][7:0] write_data_i,
  input  logic [Clients-1:0][  Lanes-1:0]      write_strobe_i,
  input  logic [Clients-1:0]                   write_valid_i,
  output logic [Clients-1:0]                   write_granted_o,
  output logic [  Lanes-1:0][        7:0]      answer_o,
  output logic [Clients-1:0]                   answer_client_o,
  output logic                                 corrected_o,
  output logic                                 lost_o,
  input  logic [        1:0]                   inject_i
);

  localparam int unsigned Bits = group_bits(Check, Lanes);
  localparam int unsigned Extra = check_bits(Check, Lanes);
  localparam int unsigned Groups = 8 * Lanes / Bits;
  localparam int unsigned GroupLanes = Bits / 8;
  typedef logic [Clients-1:0] clients_t;
  typedef logic [RowBits-1:0] row_t;
  typedef logic [Lanes-1:0][7:0] word_t;

  // ---- Grants

  clients_t read_last_q, write_last_q, read_next, write_next;
  logic busy;
  tsr_round_robin #(
    .Channels(Clients)
  ) u_reads (
    .request_i(read_valid_i),
    .last_i   (read_last_q),
    .next_o   (read_next)
  );
  tsr_round_robin #(
    .Channels(Clients)
  ) u_writes (
    .request_i(write_valid_i),
    .last_i   (write_last_q),
    .next_o   (write_next)
  );
  assign read_granted_o  = busy ? '0 : read_next;
  assign write_granted_o = busy ? '0 : write_next;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {read_last_q, write_last_q} <= {clients_t'(1), clients_t'(1)};
    else begin
      if (read_granted_o != '0) read_last_q <= read_granted_o;
      if (write_granted_o != '0) write_last_q <= write_granted_o;
    end
  end

  row_t read_row, write_row, write_row_q;
  word_t write_data, write_data_q;
  logic [Lanes-1:0] write_strobe, write_strobe_q;
  logic write_q;
  logic [1:0] inject_q;
  always_comb begin
    {read_row, write_row, write_data, write_strobe} = '0;
    for (int unsigned c = 0; c < Clients; c++) begin
      read_row |= read_next[c] ? read_row_i[c] : '0;
      write_row |= write_next[c] ? write_row_i[c] : '0;
      write_data |= write_next[c] ? write_data_i[c] : '0;
      write_strobe |= write_next[c] ? write_strobe_i[c] : '0;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!busy) begin
      write_row_q    <= write_row;
      write_data_q   <= write_data;
      write_strobe_q <= write_strobe;
      inject_q       <= write_granted_o[Clients-1] ? inject_i : '0;
    end
    write_q <= rst_ni && write_granted_o != '0;
  end

  // ---- The memory

  logic [Groups-1:0] touched, first, enable;
  logic [Groups-1:0][Bits+Extra-1:0] stored, found;
  word_t merged;
  logic merges, stores;
  logic [Groups-1:0] spoils;  // the group stays lost
  tsr_onchip_ram #(
    .Rows     (Rows),
    .Groups   (Groups),
    .GroupBits(Bits + Extra),
    .Zeroed   (Extra != 0)
  ) u_ram (
    .clk_i,
    .read_i  (busy ? write_row_q : read_row),
    .data_o  (found),
    .write_i (write_row_q),
    .data_i  (stored),
    .enable_i(enable)
  );
  always_comb begin
    for (int unsigned g = 0; g < Groups; g++)
    touched[g] = write_strobe_q[g*GroupLanes+:GroupLanes] != '0;
    first  = touched & (~touched + 1'b1);
    enable = stores ? touched : '0;
  end

  // The client of the read is a bit behind the data.
  clients_t client_q, client_qq;
  always_ff @(posedge clk_i) begin
    client_q  <= rst_ni ? read_granted_o : '0;
    client_qq <= rst_ni ? client_q : '0;
  end

  word_t corrected;
  logic [Groups-1:0] mends, loses;
  // Of the first group that is written, on purpose.
  logic [Bits+Extra-1:0] spoilt;
  always_comb begin
    spoilt      = '0;
    spoilt[1:0] = {inject_q == 2'd2, inject_q inside {2'd1, 2'd2}};
    spoilt[Bits+Extra-1] ^= inject_q == 2'd3;
  end
  if (Extra == 0) begin : gen_plain
    assign stored = write_data_q;
    assign corrected = found;
    assign {mends, loses} = '0;
  end else if (Check == 32'(CheckParity)) begin : gen_parity
    always_comb begin
      for (int unsigned g = 0; g < Groups; g++) begin
        stored[g] = {^write_data_q[g], write_data_q[g]} ^ (first[g] ? spoilt : '0);
        corrected[g] = found[g][7:0];
        mends[g] = 1'b0;
        loses[g] = ^found[g];
      end
    end
  end else begin : gen_ecc
    localparam columns_t Columns = columns(Extra);
    function automatic logic [Extra-1:0] code(input logic [Bits-1:0] data);
      code = '0;
      for (int unsigned n = 0; n < Bits; n++) code ^= data[n] ? Columns[n][Extra-1:0] : '0;
    endfunction
    for (genvar g = 0; g < Groups; g++) begin : gen_group
      logic [ Bits-1:0] data;
      logic [Extra-1:0] wrong;
      logic [ Bits-1:0] hit;
      assign data = merged[g*GroupLanes+:GroupLanes];
      // A group that is lost stays lost: two check bits are wrong.
      assign stored[g] = {code(
          data
      ) ^ (spoils[g] ? Extra'(3) : '0), data} ^ (first[g] && !spoils[g] ? spoilt : '0);
      assign wrong = code(found[g][Bits-1:0]) ^ found[g][Bits+:Extra];
      for (genvar n = 0; n < Bits; n++) begin : gen_bit
        assign hit[n] = wrong == Columns[n][Extra-1:0];
      end
      assign corrected[g*GroupLanes+:GroupLanes] = found[g][Bits-1:0] ^ hit;
      assign mends[g] = hit != '0 || $onehot(wrong);
      assign loses[g] = wrong != '0 && !mends[g];
    end
  end

  // ---- Answers

  if (Extra == 0) begin : gen_direct
    assign answer_o        = corrected;
    assign answer_client_o = client_qq;
    assign corrected_o     = 1'b0;
    assign lost_o          = 1'b0;
    logic unused_checks;
    assign unused_checks = ^{mends, loses};
  end else begin : gen_checked
    always_ff @(posedge clk_i) begin
      answer_o        <= corrected;
      answer_client_o <= rst_ni ? client_qq : '0;
      corrected_o     <= client_qq != '0 && mends != '0;
      lost_o          <= client_qq != '0 && loses != '0;
    end
  end

  // ---- A write of a part of a group

  if (Check == 32'(CheckEcc)) begin : gen_merge
    logic part;
    logic [3:1] step_q;
    word_t kept_q;
    logic [Groups-1:0] lost_q;
    always_comb begin
      part = 1'b0;
      for (int unsigned g = 0; g < Groups; g++) begin
        part = part || !(write_strobe_q[g*GroupLanes+:GroupLanes] inside {'0, '1});
        spoils[g] = merges && lost_q[g] && write_strobe_q[g*GroupLanes+:GroupLanes] != '1;
      end
      for (int unsigned l = 0; l < Lanes; l++)
      merged[l] = write_strobe_q[l] ? write_data_q[l] : kept_q[l];
    end
    // The row is read in the first cycle, and kept after three: two of the memory, one of the check.
    assign busy   = (write_q && part) || step_q != '0;
    assign merges = step_q[3];
    assign stores = (write_q && !part) || merges;
    always_ff @(posedge clk_i) begin
      step_q <= rst_ni ? {step_q[2:1], write_q && part} : '0;
      kept_q <= corrected;
      lost_q <= loses;
    end
    `TSR_ASSERT(OneAtATime, !write_q || step_q == '0)
  end else begin : gen_no_merge
    assign {busy, merges, spoils} = '0;
    assign stores = write_q;
    assign merged = write_data_q;
    logic unused_merge;
    assign unused_merge = ^{merges, spoils, merged};
  end

  if (Extra == 0) begin : gen_no_inject
    logic unused_inject;
    assign unused_inject = ^{inject_q, first};
  end

  `TSR_ASSERT(ReadForOne, $onehot0(read_granted_o))
  `TSR_ASSERT(WriteForOne, $onehot0(write_granted_o))

endmodule
