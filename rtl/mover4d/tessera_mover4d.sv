// Lists of 4-D descriptors in memory, moved between AXI4 and AXI4-Stream: a kernel that is started
// by an HLS register block, for host code of programmable data movers.
//
// Wiring only. Pins are flat vectors: channel i of a direction has slice i of its ports, and a port
// for its list, read channels first. A direction without channels keeps the pins of one, which
// rest. What software sees, and the format of lists: docs/mover4d/mover.md.
`include "tsr_assert.svh"
`include "tsr_types.svh"
`include "tsr_port_types.svh"
`include "tsr_pins.svh"
module tessera_mover4d
  import tsr_pkg::*;
  import tsr_fabric_pkg::*;
  import tsr_mover_pkg::*;
  import tsr_register_pkg::bus_request_t;
  import tsr_register_pkg::bus_answer_t;
#(
  // Parameters: made by scripts/parameters.
  parameter int unsigned Reads = 1,  // read channels, memory to stream
  parameter int unsigned Writes = 1,  // write channels, stream to memory
  parameter int unsigned AddrWidth = 64,  // bits of an address
  parameter int unsigned DataWidth = 64,  // bits of each data port
  parameter int unsigned StreamWidth = 64,  // bits of each stream
  // Bytes of an element, which descriptors count.
  parameter int unsigned ElementBytes = DataWidth / 8,
  // Beats of a burst: the power of two below, 2 at least, 4 KiB at most.
  parameter int unsigned MaxBurst = 64,
  // Bursts of a channel in flight: the power of two below, 8 at least.
  parameter int unsigned Outstanding = 64,
  // Words of a list fetched ahead: the latency in cycles, or lists wait.
  parameter int unsigned ListDepth = 128,
  // Words of a burst of a list, at most; below 3 a list gives less than a word a cycle.
  parameter int unsigned ListBurst = 16,
  parameter bit Patterns = 1'b0,  // lists may hold tile patterns of 24 words
  parameter bit BaseFirst = 1'b0,  // the data's argument comes before the list's
  parameter bit Ranges = 1'b0,  // an address and a size in bytes instead of a list
  parameter bit Check = 1'b0,  // streams that come in are compared with read channels
  // Beats of the ROM that read channels send; follows from rom.
  parameter int unsigned RomWords = 0,
  localparam int unsigned RomPlaces = RomWords == 0 ? 1 : RomWords,
  parameter logic [RomPlaces*StreamWidth-1:0] RomContents = '0,  // the first beat lowest
  // Beats of the RAM of each read channel, which software fills.
  parameter int unsigned RamWords = 0,
  parameter bit UseKeep = 1'b0,  // streams that come in may have partial beats
  // End of parameters.
  localparam int unsigned Channels = Reads + Writes,
  localparam int unsigned R = Reads == 0 ? 1 : Reads,
  localparam int unsigned W = Writes == 0 ? 1 : Writes,
  localparam int unsigned S = Check ? R : W,  // streams that come in
  localparam int unsigned DataBytes = DataWidth / 8,
  localparam int unsigned StreamBytes = StreamWidth / 8
) (
  input  logic                          aclk,
  input  logic                          aresetn,
  // Registers.
  input  logic [         MoverBits-1:0] s_axil_awaddr,
  input  logic [                   2:0] s_axil_awprot,
  input  logic                          s_axil_awvalid,
  output logic                          s_axil_awready,
  input  logic [                  31:0] s_axil_wdata,
  input  logic [                   3:0] s_axil_wstrb,
  input  logic                          s_axil_wvalid,
  output logic                          s_axil_wready,
  output logic [                   1:0] s_axil_bresp,
  output logic                          s_axil_bvalid,
  input  logic                          s_axil_bready,
  input  logic [         MoverBits-1:0] s_axil_araddr,
  input  logic [                   2:0] s_axil_arprot,
  input  logic                          s_axil_arvalid,
  output logic                          s_axil_arready,
  output logic [                  31:0] s_axil_rdata,
  output logic [                   1:0] s_axil_rresp,
  output logic                          s_axil_rvalid,
  input  logic                          s_axil_rready,
  // Lists, of 64 bits. ARSIZE is 8 bytes, ARBURST is INCR.
  output logic [Channels*AddrWidth-1:0] m_axi_list_araddr,
  output logic [        Channels*8-1:0] m_axi_list_arlen,
  output logic [        Channels*3-1:0] m_axi_list_arsize,
  output logic [        Channels*2-1:0] m_axi_list_arburst,
  output logic [        Channels*4-1:0] m_axi_list_arcache,
  output logic [        Channels*3-1:0] m_axi_list_arprot,
  output logic [          Channels-1:0] m_axi_list_arvalid,
  input  logic [          Channels-1:0] m_axi_list_arready,
  input  logic [       Channels*64-1:0] m_axi_list_rdata,
  input  logic [        Channels*2-1:0] m_axi_list_rresp,
  input  logic [          Channels-1:0] m_axi_list_rlast,
  input  logic [          Channels-1:0] m_axi_list_rvalid,
  output logic [          Channels-1:0] m_axi_list_rready,
  // Data of read channels. ARSIZE is the full width, ARBURST is INCR.
  output logic [       R*AddrWidth-1:0] m_axi_rd_araddr,
  output logic [               R*8-1:0] m_axi_rd_arlen,
  output logic [               R*3-1:0] m_axi_rd_arsize,
  output logic [               R*2-1:0] m_axi_rd_arburst,
  output logic [               R*4-1:0] m_axi_rd_arcache,
  output logic [               R*3-1:0] m_axi_rd_arprot,
  output logic [                 R-1:0] m_axi_rd_arvalid,
  input  logic [                 R-1:0] m_axi_rd_arready,
  input  logic [       R*DataWidth-1:0] m_axi_rd_rdata,
  input  logic [               R*2-1:0] m_axi_rd_rresp,
  input  logic [                 R-1:0] m_axi_rd_rlast,
  input  logic [                 R-1:0] m_axi_rd_rvalid,
  output logic [                 R-1:0] m_axi_rd_rready,
  // Data of write channels.
  output logic [       W*AddrWidth-1:0] m_axi_wr_awaddr,
  output logic [               W*8-1:0] m_axi_wr_awlen,
  output logic [               W*3-1:0] m_axi_wr_awsize,
  output logic [               W*2-1:0] m_axi_wr_awburst,
  output logic [               W*4-1:0] m_axi_wr_awcache,
  output logic [               W*3-1:0] m_axi_wr_awprot,
  output logic [                 W-1:0] m_axi_wr_awvalid,
  input  logic [                 W-1:0] m_axi_wr_awready,
  output logic [       W*DataWidth-1:0] m_axi_wr_wdata,
  output logic [       W*DataBytes-1:0] m_axi_wr_wstrb,
  output logic [                 W-1:0] m_axi_wr_wlast,
  output logic [                 W-1:0] m_axi_wr_wvalid,
  input  logic [                 W-1:0] m_axi_wr_wready,
  input  logic [               W*2-1:0] m_axi_wr_bresp,
  input  logic [                 W-1:0] m_axi_wr_bvalid,
  output logic [                 W-1:0] m_axi_wr_bready,
  // Streams.
  output logic [     R*StreamWidth-1:0] m_axis_tdata,
  output logic [     R*StreamBytes-1:0] m_axis_tkeep,
  output logic [                 R-1:0] m_axis_tlast,
  output logic [                 R-1:0] m_axis_tvalid,
  input  logic [                 R-1:0] m_axis_tready,
  input  logic [     S*StreamWidth-1:0] s_axis_tdata,
  input  logic [     S*StreamBytes-1:0] s_axis_tkeep,
  input  logic [                 S-1:0] s_axis_tlast,
  input  logic [                 S-1:0] s_axis_tvalid,
  output logic [                 S-1:0] s_axis_tready,
  output logic                          irq
);

  // To Verilator 5.006 a parameter with the value of a literal has no width: + 32'd0.
  localparam mover_build_t Config = '{
      AddrWidth: AddrWidth + 32'd0,
      DataWidth: DataWidth + 32'd0,
      StreamWidth: StreamWidth + 32'd0,
      MaxBurst: mover_burst(MaxBurst, DataBytes),
      Outstanding: mover_power(Outstanding, 8),
      ElementBytes: ElementBytes + 32'd0,
      ListDepth: ListDepth + 32'd0,
      ListBurst: ListBurst + 32'd0,
      Ranges: Ranges,
      Patterns: Patterns
  };
  localparam type ax_t = `TSR_PORT_AX_T(Config.AddrWidth, 1);
  localparam type w_t = `TSR_PORT_W_T(Config.DataWidth / 8);
  localparam type beat_t = `TSR_BEAT_T(StreamBytes);
  localparam type rd_req_t = `TSR_PORT_RD_REQ_T(ax_t);
  localparam type r_t = `TSR_PORT_R_T(Config.DataWidth / 8, 1);
  localparam type rd_rsp_t = `TSR_PORT_RD_RSP_T(r_t);
  localparam type list_r_t = `TSR_PORT_R_T(8, 1);
  localparam type list_rsp_t = `TSR_PORT_RD_RSP_T(list_r_t);
  localparam type b_t = `TSR_PORT_B_T(1);
  localparam type wr_req_t = `TSR_PORT_WR_REQ_T(ax_t, w_t);
  localparam type wr_rsp_t = `TSR_PORT_WR_RSP_T(b_t);

  localparam kernel_e Store = Reads == 0 ? KernelStore : KernelLoad;
  localparam kernel_e Moves = Ranges ? Store : KernelMover;
  localparam kernel_e FromRom = Check ? KernelCheckRom : KernelSendRom;
  localparam kernel_e FromRam = Check ? KernelCheckRam : KernelSendRam;
  localparam kernel_e FromMemory = Check ? KernelCheck : Moves;
  localparam kernel_e Kind = RomWords != 0 ? FromRom : RamWords != 0 ? FromRam : FromMemory;
  localparam logic [3:0] Cache = 4'b0011;  // bufferable, modifiable

  // Legal values: made by scripts/parameters.
  `TSR_STATIC_ASSERT(Reads, Reads <= 16, ("Reads = %0d; legal is an integer from 0 to 16", Reads))
  `TSR_STATIC_ASSERT(Writes, Writes <= 16,
                     ("Writes = %0d; legal is an integer from 0 to 16", Writes))
  `TSR_STATIC_ASSERT(WritesRule0, Reads + Writes >= 1,
                     ("Writes = %0d; legal is 1 and more where Reads is 0", Writes))
  `TSR_STATIC_ASSERT(AddrWidth, AddrWidth >= 32 && AddrWidth <= 64,
                     ("AddrWidth = %0d; legal is an integer from 32 to 64", AddrWidth))
  `TSR_STATIC_ASSERT(DataWidth, DataWidth >= 32 && DataWidth <= 512 && $onehot(DataWidth),
                     ("DataWidth = %0d; legal is one of 32, 64, 128, 256, 512", DataWidth))
  `TSR_STATIC_ASSERT(StreamWidth, StreamWidth >= 8 && StreamWidth <= 1024 && $onehot(StreamWidth),
                     ("StreamWidth = %0d; legal is a power of two from 8 to 1024", StreamWidth))
  `TSR_STATIC_ASSERT(StreamWidthRule0, RamWords == 0 || StreamWidth >= 32,
                     ("StreamWidth = %0d; legal is 32 and more with a RAM", StreamWidth))
  `TSR_STATIC_ASSERT(ElementBytes, ElementBytes >= 1 && ElementBytes <= 64 && $onehot(ElementBytes),
                     ("ElementBytes = %0d; legal is one of 1, 2, 4, 8, 16, 32, 64", ElementBytes))
  `TSR_STATIC_ASSERT(ElementBytesRule0, ElementBytes * 8 <= DataWidth,
                     ("ElementBytes = %0d; legal is at most DataWidth / 8", ElementBytes))
  `TSR_STATIC_ASSERT(MaxBurst, MaxBurst >= 1 && MaxBurst <= 256,
                     ("MaxBurst = %0d; legal is an integer from 1 to 256", MaxBurst))
  `TSR_STATIC_ASSERT(Outstanding, Outstanding >= 1 && Outstanding <= 128,
                     ("Outstanding = %0d; legal is an integer from 1 to 128", Outstanding))
  `TSR_STATIC_ASSERT(ListDepth, ListDepth >= 16 && ListDepth <= 512 && $onehot(ListDepth),
                     ("ListDepth = %0d; legal is one of 16, 32, 64, 128, 256, 512", ListDepth))
  `TSR_STATIC_ASSERT(ListBurst, ListBurst >= 1 && ListBurst <= 256,
                     ("ListBurst = %0d; legal is an integer from 1 to 256", ListBurst))
  `TSR_STATIC_ASSERT(ListBurstRule0, ListBurst * 2 <= ListDepth,
                     ("ListBurst = %0d; legal is at most half of ListDepth", ListBurst))
  `TSR_STATIC_ASSERT(CheckRule0, !Check || Writes == 0,
                     ("Check = %0d; legal is false where Writes is not 0", Check))
  `TSR_STATIC_ASSERT(RomWords, RomWords <= 4096,
                     ("RomWords = %0d; legal is an integer from 0 to 4096", RomWords))
  `TSR_STATIC_ASSERT(
      RomWordsRule0, RomWords == 0 || (Ranges && BaseFirst && Writes == 0),
      ("RomWords = %0d; legal is 0 unless Ranges and BaseFirst are true and Writes is 0", RomWords))
  `TSR_STATIC_ASSERT(RamWords, RamWords <= 65536,
                     ("RamWords = %0d; legal is an integer from 0 to 65536", RamWords))
  `TSR_STATIC_ASSERT(
      RamWordsRule0, RamWords == 0 || (Ranges && BaseFirst && Writes == 0 && RomWords == 0),
      ("RamWords = %0d; legal is 0 unless Ranges and BaseFirst, without Writes or a ROM", RamWords))
  // End of legal values.

  // ---- Registers --------------------------------------------------------------------------------

  bus_request_t request;
  bus_answer_t  answer;
  logic request_valid, request_ready, run;
  logic [CycleWidth-1:0] cycle;
  mover_setup_t [Channels-1:0] setup;
  mover_view_t [Channels-1:0] view;
  mover_check_t [Channels-1:0] check;
  mover_ram_rsp_t [Channels-1:0] ram;

  `TSR_AXIL_PINS

  tsr_axil u_axil (
    .clk_i    (aclk),
    .rst_ni   (aresetn),
    .axil_i   (axil_req),
    .axil_o   (axil_rsp),
    .request_o(request),
    .valid_o  (request_valid),
    .ready_i  (request_ready),
    .answer_i (answer)
  );

  tsr_mover_control #(
    .Reads       (Reads),
    .Writes      (Writes),
    .Kind        (Kind),
    .DataWidth   (DataWidth),
    .StreamWidth (StreamWidth),
    .ElementBytes(ElementBytes),
    .Patterns    (Patterns),
    .BaseFirst   (BaseFirst),
    .Depth       (RomWords != 0 ? RomWords : RamWords)
  ) u_control (
    .clk_i    (aclk),
    .rst_ni   (aresetn),
    .request_i(request),
    .valid_i  (request_valid),
    .ready_o  (request_ready),
    .answer_o (answer),
    .run_o    (run),
    .cycle_o  (cycle),
    .setup_o  (setup),
    .view_i   (view),
    .check_i  (check),
    .ram_i    (ram),
    .irq_o    (irq)
  );

  // ---- Lists ------------------------------------------------------------------------------------

  rd_req_t   [Channels-1:0] list_req;
  list_rsp_t [Channels-1:0] list_rsp;
  for (genvar c = 0; c < Channels; c++) begin : gen_list
    `TSR_AXI_RD_BARE(m_axi_list, c, [c], 8, list_req[c], list_rsp[c], 1'b0)
    assign m_axi_list_arcache[c*4+:4] = Cache;
    assign m_axi_list_arprot[c*3+:3]  = 3'd0;
  end

  // ---- Read channels ----------------------------------------------------------------------------

  for (genvar i = 0; i < Reads; i++) begin : gen_read
    rd_req_t req;
    rd_rsp_t rsp;
    beat_t beat, against;
    logic against_valid, against_ready;
    tsr_kernel_read #(
      .Config     (Config),
      .Check      (Check),
      .RomWords   (RomWords),
      .RomContents(RomContents),
      .RamWords   (RamWords)
    ) u_channel (
      .clk_i       (aclk),
      .rst_ni      (aresetn),
      .start_i     (run),
      .cycle_i     (cycle),
      .setup_i     (setup[i]),
      .view_o      (view[i]),
      .check_o     (check[i]),
      .ram_o       (ram[i]),
      .list_o      (list_req[i]),
      .list_i      (list_rsp[i]),
      .bus_o       (req),
      .bus_i       (rsp),
      .beat_o      (beat),
      .beat_valid_o(m_axis_tvalid[i]),
      .beat_ready_i(m_axis_tready[i]),
      .beat_i      (against),
      .beat_valid_i(against_valid),
      .beat_ready_o(against_ready)
    );
    `TSR_AXI_RD_BARE(m_axi_rd, i, [i], DataBytes, req, rsp, 1'b0)
    assign m_axis_tdata[i*StreamWidth+:StreamWidth] = beat.data;
    assign m_axis_tkeep[i*StreamBytes+:StreamBytes] = beat.keep;
    assign m_axis_tlast[i] = beat.last;
    if (Check) begin : gen_against
      assign against = '{
              last: s_axis_tlast[i],
              keep: s_axis_tkeep[i*StreamBytes+:StreamBytes],
              data: s_axis_tdata[i*StreamWidth+:StreamWidth]
          };
      assign against_valid = s_axis_tvalid[i];
      assign s_axis_tready[i] = against_ready;
    end else begin : gen_alone
      logic unused_ready;
      assign against = '0;
      assign against_valid = 1'b0;
      assign unused_ready = against_ready;
    end
  end
  if (Reads == 0) begin : gen_no_reads
    logic unused_read;
    assign {m_axi_rd_araddr, m_axi_rd_arlen, m_axi_rd_arsize, m_axi_rd_arburst} = '0;
    assign {m_axi_rd_arvalid, m_axi_rd_rready} = '0;
    assign {m_axis_tdata, m_axis_tkeep, m_axis_tlast, m_axis_tvalid} = '0;
    assign unused_read = ^{m_axi_rd_arready, m_axi_rd_rdata, m_axi_rd_rresp, m_axi_rd_rlast,
                           m_axi_rd_rvalid, m_axis_tready};
  end
  assign m_axi_rd_arcache = {R{Cache}};
  assign m_axi_rd_arprot  = '0;

  // ---- Write channels ---------------------------------------------------------------------------

  for (genvar i = 0; i < Writes; i++) begin : gen_write
    wr_req_t req;
    wr_rsp_t rsp;
    beat_t   beat;
    tsr_mover_write #(
      .Config (Config),
      .UseKeep(UseKeep)
    ) u_channel (
      .clk_i       (aclk),
      .rst_ni      (aresetn),
      .start_i     (run),
      .cycle_i     (cycle),
      .setup_i     (setup[Reads+i]),
      .view_o      (view[Reads+i]),
      .list_o      (list_req[Reads+i]),
      .list_i      (list_rsp[Reads+i]),
      .bus_o       (req),
      .bus_i       (rsp),
      .beat_i      (beat),
      .beat_valid_i(s_axis_tvalid[i]),
      .beat_ready_o(s_axis_tready[i])
    );
    assign check[Reads+i] = '0;
    assign ram[Reads+i]   = '{ready: 1'b1, default: '0};
    `TSR_AXI_WR_BARE(m_axi_wr, i, [i], DataBytes, req, rsp, 1'b0)
    assign beat = '{
            last: s_axis_tlast[i],
            keep: s_axis_tkeep[i*StreamBytes+:StreamBytes],
            data: s_axis_tdata[i*StreamWidth+:StreamWidth]
        };
  end
  if (Writes == 0) begin : gen_no_writes
    logic unused_write;
    assign {m_axi_wr_awaddr, m_axi_wr_awlen, m_axi_wr_awsize, m_axi_wr_awburst} = '0;
    assign {m_axi_wr_awvalid, m_axi_wr_bready} = '0;
    assign {m_axi_wr_wdata, m_axi_wr_wstrb, m_axi_wr_wlast, m_axi_wr_wvalid} = '0;
    assign unused_write = ^{m_axi_wr_awready, m_axi_wr_wready, m_axi_wr_bresp, m_axi_wr_bvalid};
    if (!Check) begin : gen_no_streams
      logic unused_streams;
      assign s_axis_tready  = '0;
      assign unused_streams = ^{s_axis_tdata, s_axis_tkeep, s_axis_tlast, s_axis_tvalid};
    end
  end
  assign m_axi_wr_awcache = {W{Cache}};
  assign m_axi_wr_awprot  = '0;

  logic unused_prot;
  assign unused_prot = ^{s_axil_awprot, s_axil_arprot};

endmodule
