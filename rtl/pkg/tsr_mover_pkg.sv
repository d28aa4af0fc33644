// Types of the kernels that software starts by an HLS register block: list movers and static
// kernels.
package tsr_mover_pkg;
  import tsr_pkg::*;
  import tsr_fabric_pkg::*;

  localparam int unsigned MoverBits = 13;  // of a register address, in bytes
  localparam int unsigned MoverChannels = 16;  // each way, at most
  localparam int unsigned CycleWidth = 48;  // counts of cycles

  // The fabric's configuration of a channel that has its port for itself, and of its list.
  function automatic fabric_config_t mover_config(
      input int unsigned addr_width, input int unsigned data_width, input int unsigned stream_width,
      input int unsigned max_burst, input int unsigned outstanding, input bit walk);
    mover_config             = FabricDefaults;
    mover_config.AddrWidth   = addr_width;
    mover_config.DataWidth   = data_width;
    mover_config.StreamWidth = stream_width;
    mover_config.MaxBurst    = max_burst;
    mover_config.Outstanding = outstanding;
    mover_config.RoomBeats   = 0;
    mover_config.StoreBeats  = 0;
    mover_config.Walk        = walk;
    mover_config.Bounds      = 1'b0;
  endfunction
  function automatic fabric_config_t mover_list_config(input int unsigned addr_width);
    mover_list_config           = FabricDefaults;
    mover_list_config.AddrWidth = addr_width;
    mover_list_config.DataWidth = 64;
  endfunction

  // 64-bit words of a descriptor in a list.
  localparam int unsigned CuboidWords = 9;
  localparam int unsigned PatternWords = 12;

  // Where a channel puts TLAST on its stream.
  typedef enum logic [1:0] {
    MoverLastNever      = 2'd0,
    MoverLastList       = 2'd1,
    MoverLastDescriptor = 2'd2,
    MoverLastRow        = 2'd3
  } mover_last_e;

  // Why a list ended before its last descriptor.
  typedef enum logic [3:0] {
    MoverOk = 4'd0,
    MoverListAddress = 4'd1,  // the list is not aligned to 8 bytes, or leaves the address space
    MoverListCount = 4'd2,  // it has 2^32 descriptors or more
    MoverListFetch = 4'd3,  // a response of its memory was SLVERR or DECERR
    MoverFormat = 4'd4,  // tile patterns, and the build has none; or a dimension above 3
    MoverSize = 4'd5,  // a size of 2^32 elements, or a row of neighbours of 2^32 bytes, or more
    MoverStride = 4'd6,  // half the address space or more, in bytes
    MoverOutside = 4'd7,  // leaves the window, or the address space
    MoverBus = 4'd8,  // a response of the data's memory was SLVERR or DECERR
    MoverStream = 4'd9  // a beat without TLAST had some, not all, of its bytes null
  } mover_error_e;

  // What software does with the RAM of a channel, and what it sees of it: a word of 32 bits at a
  // place that it chooses.
  localparam int unsigned RamPlaceBits = 24;
  typedef struct packed {
    logic        running;  // the kernel runs: the RAM is the channel's
    logic        seek;     // `data` is the new place
    logic        write;    // `data` goes to the place
    logic        read;     // what is shown has been read
    logic [3:0]  strobe;
    logic [31:0] data;
  } mover_ram_req_t;
  typedef struct packed {
    logic                    ready;  // `data` is what the place holds; or there is no RAM
    logic                    there;  // the place lies in the RAM
    logic [RamPlaceBits-1:0] place;
    logic [31:0]             data;
  } mover_ram_rsp_t;

  // What software says to a channel. Pointers count when it starts; the rest but `ram` is constant
  // while it is busy.
  typedef struct packed {
    logic [63:0]    list_addr;  // address of the number of descriptors
    logic [63:0]    base_addr;  // address of element 0
    mover_last_e    last;
    logic           patterns;   // descriptors of 24 words of 32 bits instead of 9 of 64
    window_t        window;     // of the data
    mover_ram_req_t ram;
  } mover_setup_t;

  // How the list of a channel stands.
  typedef struct packed {
    logic         ended;  // no more transfers will come
    mover_error_e error;  // with `ended`: why the next descriptor is not one of them
    logic [63:0]  addr;   // with MoverOutside: an address outside
  } mover_source_t;

  // What a channel says of its last list, or of the one in hand.
  typedef struct packed {
    logic                  busy;
    mover_error_e          error;
    logic [31:0]           index;  // of the descriptor with the error
    logic [63:0]           addr;   // of the error, if it has one
    logic [31:0]           count;  // descriptors that are done
    logic [BytesWidth-1:0] bytes;  // of the stream
    logic [CycleWidth-1:0] first;  // cycle of the first beat of the stream since the start
    logic [CycleWidth-1:0] ended;  // cycle in which the list was done
  } mover_view_t;

  // What a kernel that checks a stream has found.
  typedef struct packed {
    logic        pass;
    logic [31:0] mismatches;  // wrong beats
    logic [63:0] first;       // byte at which the first of them begins; all ones: none
  } mover_check_t;

  // What a kernel is, for CAPABILITIES.
  typedef enum logic [3:0] {
    KernelMover    = 4'd0,  // lists, both ways
    KernelLoad     = 4'd1,  // memory to stream
    KernelStore    = 4'd2,  // stream to memory
    KernelSendRom  = 4'd3,
    KernelSendRam  = 4'd4,
    KernelCheck    = 4'd5,  // stream against memory
    KernelCheckRom = 4'd6,
    KernelCheckRam = 4'd7
  } kernel_e;

endpackage
