// The on-chip buffer: a memory beside the external one, for all ports and for processors.
//
// Contract: without Enable ports go to the external memory, and processors get no answers. Else what of a port is addressed to Base and the SizeLog bits above it is served here, all else by the external memory. A
// processor has an AXI4 port of its own, whose addresses begin at 0: full AXI4 but for exclusive accesses, order kept for all
// IDs. Word n is in bank n mod Banks. A bank serves a read and a write a cycle, in turn where several wait for it;
// `event_o` tells of each cycle in which one waits. `inject_i` (see tsr_onchip_bank) holds for the word for which
// `injected_o` is high.
// Latency: AR to R 4 cycles, with a check 5; AW to B 2 for one beat. Throughput: a word a cycle and port each way, where no other
// access wants the bank.
`include "tsr_assert.svh"
`include "tsr_port_types.svh"
module tsr_onchip
  import tsr_onchip_pkg::*;
#(
  parameter bit Enable = 1'b1,
  parameter int unsigned Ports = 1,
  parameter int unsigned AddrWidth = 64,
  parameter int unsigned BusLog = 3,
  parameter int unsigned IdWidth = 4,
  parameter int unsigned ProcessorIdWidth = 16,
  parameter int unsigned Outstanding = 32,
  parameter int unsigned SizeLog = 16,  // log2 of the bytes of the buffer
  parameter logic [63:0] Base = '0,
  parameter int unsigned Banks = 2,
  parameter int unsigned Check = 0,
  localparam int unsigned Lanes = 2 ** BusLog,
  localparam type ax_t = `TSR_PORT_AX_T(AddrWidth, IdWidth),
  localparam type r_t = `TSR_PORT_R_T(Lanes, IdWidth),
  localparam type w_t = `TSR_PORT_W_T(Lanes),
  localparam type b_t = `TSR_PORT_B_T(IdWidth),
  localparam type rd_req_t = `TSR_PORT_RD_REQ_T(ax_t),
  localparam type rd_rsp_t = `TSR_PORT_RD_RSP_T(r_t),
  localparam type wr_req_t = `TSR_PORT_WR_REQ_T(ax_t, w_t),
  localparam type wr_rsp_t = `TSR_PORT_WR_RSP_T(b_t),
  localparam type processor_ax_t = `TSR_PORT_ANY_AX_T(SizeLog, ProcessorIdWidth),
  localparam type processor_r_t = `TSR_PORT_R_T(Lanes, ProcessorIdWidth),
  localparam type processor_b_t = `TSR_PORT_B_T(ProcessorIdWidth),
  localparam type processor_rd_req_t = `TSR_PORT_RD_REQ_T(processor_ax_t),
  localparam type processor_rd_rsp_t = `TSR_PORT_RD_RSP_T(processor_r_t),
  localparam type processor_wr_req_t = `TSR_PORT_WR_REQ_T(processor_ax_t, w_t),
  localparam type processor_wr_rsp_t = `TSR_PORT_WR_RSP_T(processor_b_t)
) (
  input  logic                               clk_i,
  input  logic                               rst_ni,
  // Ports of engines, and what of them goes on to the external memory.
  input  logic              [Ports-1:0][1:0] failed_i,        // read and write half
  input  rd_req_t           [Ports-1:0]      rd_i,
  output rd_rsp_t           [Ports-1:0]      rd_o,
  input  wr_req_t           [Ports-1:0]      wr_i,
  output wr_rsp_t           [Ports-1:0]      wr_o,
  output rd_req_t           [Ports-1:0]      memory_rd_o,
  input  rd_rsp_t           [Ports-1:0]      memory_rd_i,
  output wr_req_t           [Ports-1:0]      memory_wr_o,
  input  wr_rsp_t           [Ports-1:0]      memory_wr_i,
  // Processors.
  input  processor_rd_req_t                  processor_rd_i,
  output processor_rd_rsp_t                  processor_rd_o,
  input  processor_wr_req_t                  processor_wr_i,
  output processor_wr_rsp_t                  processor_wr_o,
  // Registers.
  input  logic              [      1:0]      inject_i,
  output logic                               injected_o,
  output onchip_event_t                      event_o
);

  localparam int unsigned Clients = Ports + 1;
  localparam int unsigned BankLog = $clog2(Banks);
  localparam int unsigned WordBits = SizeLog - BusLog;
  localparam int unsigned RowBits = WordBits - BankLog;
  typedef logic [Lanes-1:0][7:0] word_t;
  typedef logic [WordBits-1:0] place_t;

  if (!Enable) begin : gen_none
    assign {memory_rd_o, memory_wr_o} = {rd_i, wr_i};
    assign {rd_o, wr_o} = {memory_rd_i, memory_wr_i};
    assign {processor_rd_o, processor_wr_o, injected_o, event_o} = '0;
    logic unused_buffer;
    assign unused_buffer = ^{clk_i, rst_ni, processor_rd_i, processor_wr_i, inject_i, failed_i};
  end else begin : gen_buffer
    place_t [Clients-1:0] read_place, write_place;
    logic [Clients-1:0]
        read_valid, read_granted, write_valid, write_granted, answer_valid, answer_lost;
    word_t [Clients-1:0] write_data, answer;
    logic [Clients-1:0][Lanes-1:0] write_strobe;

    // ---- Ports, and the processors as the last client

    for (genvar c = 0; c < Clients; c++) begin : gen_client
      localparam bit Full = c == Ports;
      localparam int unsigned Id = Full ? ProcessorIdWidth : IdWidth;
      localparam type buffer_ax_t = `TSR_PORT_ANY_AX_T(SizeLog, Id);
      localparam type buffer_r_t = `TSR_PORT_R_T(Lanes, Id);
      localparam type buffer_b_t = `TSR_PORT_B_T(Id);
      localparam type buffer_rd_req_t = `TSR_PORT_RD_REQ_T(buffer_ax_t);
      localparam type buffer_rd_rsp_t = `TSR_PORT_RD_RSP_T(buffer_r_t);
      localparam type buffer_wr_req_t = `TSR_PORT_WR_REQ_T(buffer_ax_t, w_t);
      localparam type buffer_wr_rsp_t = `TSR_PORT_WR_RSP_T(buffer_b_t);
      buffer_rd_req_t rd_req;
      buffer_rd_rsp_t rd_rsp;
      buffer_wr_req_t wr_req;
      buffer_wr_rsp_t wr_rsp;
      if (Full) begin : gen_processors
        assign {rd_req, wr_req} = {processor_rd_i, processor_wr_i};
        assign {processor_rd_o, processor_wr_o} = {rd_rsp, wr_rsp};
      end else begin : gen_port
        tsr_onchip_split_read #(
          .AddrWidth  (AddrWidth),
          .BusLog     (BusLog),
          .IdWidth    (IdWidth),
          .Outstanding(Outstanding),
          .SizeLog    (SizeLog),
          .Base       (Base)
        ) u_split_read (
          .clk_i,
          .rst_ni,
          .failed_i(failed_i[c][0]),
          .port_i  (rd_i[c]),
          .port_o  (rd_o[c]),
          .memory_o(memory_rd_o[c]),
          .memory_i(memory_rd_i[c]),
          .buffer_o(rd_req),
          .buffer_i(rd_rsp)
        );
        tsr_onchip_split_write #(
          .AddrWidth  (AddrWidth),
          .BusLog     (BusLog),
          .IdWidth    (IdWidth),
          .Outstanding(Outstanding),
          .SizeLog    (SizeLog),
          .Base       (Base)
        ) u_split_write (
          .clk_i,
          .rst_ni,
          .failed_i(failed_i[c][1]),
          .port_i  (wr_i[c]),
          .port_o  (wr_o[c]),
          .memory_o(memory_wr_o[c]),
          .memory_i(memory_wr_i[c]),
          .buffer_o(wr_req),
          .buffer_i(wr_rsp)
        );
      end
      tsr_onchip_reader #(
        .AddrBits(SizeLog),
        .BusLog  (BusLog),
        .IdWidth (Id),
        .Full    (Full)
      ) u_reader (
        .clk_i,
        .rst_ni,
        .port_i        (rd_req),
        .port_o        (rd_rsp),
        .word_o        (read_place[c]),
        .word_valid_o  (read_valid[c]),
        .granted_i     (read_granted[c]),
        .answer_i      (answer[c]),
        .answer_lost_i (answer_lost[c]),
        .answer_valid_i(answer_valid[c])
      );
      tsr_onchip_writer #(
        .AddrBits(SizeLog),
        .BusLog  (BusLog),
        .IdWidth (Id),
        .Full    (Full)
      ) u_writer (
        .clk_i,
        .rst_ni,
        .port_i      (wr_req),
        .port_o      (wr_rsp),
        .word_o      (write_place[c]),
        .data_o      (write_data[c]),
        .strobe_o    (write_strobe[c]),
        .word_valid_o(write_valid[c]),
        .granted_i   (write_granted[c])
      );
    end

    // ---- Banks

    logic [Banks-1:0][Clients-1:0] bank_read_granted, bank_write_granted, bank_client;
    word_t [Banks-1:0] bank_answer;
    logic [Banks-1:0] bank_corrected, bank_lost;
    for (genvar b = 0; b < Banks; b++) begin : gen_bank
      logic [Clients-1:0] reads, writes;
      logic [Clients-1:0][RowBits-1:0] read_row, write_row;
      for (genvar c = 0; c < Clients; c++) begin : gen_client
        assign read_row[c] = read_place[c][WordBits-1-:RowBits];
        assign write_row[c] = write_place[c][WordBits-1-:RowBits];
        assign reads[c] = read_valid[c] && (read_place[c] & place_t'(Banks - 1)) == place_t'(b);
        assign writes[c] = write_valid[c] && (write_place[c] & place_t'(Banks - 1)) == place_t'(b);
      end
      tsr_onchip_bank #(
        .Clients(Clients),
        .Rows   (2 ** RowBits),
        .Lanes  (Lanes),
        .Check  (Check)
      ) u_bank (
        .clk_i,
        .rst_ni,
        .read_row_i     (read_row),
        .read_valid_i   (reads),
        .read_granted_o (bank_read_granted[b]),
        .write_row_i    (write_row),
        .write_data_i   (write_data),
        .write_strobe_i (write_strobe),
        .write_valid_i  (writes),
        .write_granted_o(bank_write_granted[b]),
        .answer_o       (bank_answer[b]),
        .answer_client_o(bank_client[b]),
        .corrected_o    (bank_corrected[b]),
        .lost_o         (bank_lost[b]),
        .inject_i       (inject_i)
      );
    end
    always_comb begin
      {read_granted, write_granted, answer_valid, answer_lost, answer} = '0;
      for (int unsigned b = 0; b < Banks; b++) begin
        read_granted |= bank_read_granted[b];
        write_granted |= bank_write_granted[b];
        answer_valid |= bank_client[b];
        for (int unsigned c = 0; c < Clients; c++) begin
          answer[c] |= bank_client[b][c] ? bank_answer[b] : '0;
          answer_lost[c] |= bank_client[b][c] && bank_lost[b];
        end
      end
    end

    assign injected_o = write_granted[Ports] && write_strobe[Ports] != '0;
    always_ff @(posedge clk_i) begin
      event_o <= '{
          conflict: rst_ni && {read_valid & ~read_granted, write_valid & ~write_granted} != '0,
          corrected: rst_ni && bank_corrected != '0,
          lost: rst_ni && bank_lost != '0
      };
    end
  end

  `TSR_STATIC_ASSERT(SizeLog, SizeLog >= 12 && SizeLog <= 22,
                     ("SizeLog = %0d; legal is 12 to 22", SizeLog))
  `TSR_STATIC_ASSERT(Banks, Banks >= 1 && Banks <= 8 && 2 ** BankLog == Banks,
                     ("Banks = %0d; legal is 1, 2, 4, 8", Banks))
  `TSR_STATIC_ASSERT(Check, Check <= 2, ("Check = %0d; legal is 0, 1, 2", Check))

endmodule
