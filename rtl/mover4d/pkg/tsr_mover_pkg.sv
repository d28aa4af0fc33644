// Types of the kernels that software starts by an HLS register block: list movers and static
// kernels.
package tsr_mover_pkg;
  import tsr_pkg::*;
  import tsr_fabric_pkg::*;

  localparam int unsigned MoverBits = 13;  // of a register address, in bytes
  localparam int unsigned MoverChannels = 16;  // each way, at most
  localparam int unsigned CycleWidth = 48;  // counts of cycles

  localparam int unsigned MoverFlight = 16;  // transfers of a channel in flight

  // What a channel is built with; its bursts as the engines need them.
  typedef struct packed {
    int unsigned AddrWidth;
    int unsigned DataWidth;
    int unsigned StreamWidth;
    int unsigned MaxBurst;      // beats, a power of two, at most 4 KiB
    int unsigned Outstanding;   // bursts, a power of two
    int unsigned ElementBytes;
    int unsigned ListDepth;
    int unsigned ListBurst;
    bit          Ranges;
    bit          Patterns;
  } mover_build_t;
  localparam mover_build_t MoverDefaults = '{
      AddrWidth: 64,
      DataWidth: 64,
      StreamWidth: 64,
      MaxBurst: 64,
      Outstanding: 64,
      ElementBytes: 8,
      ListDepth: 128,
      ListBurst: 16,
      Ranges: 1'b0,
      Patterns: 1'b0
  };
  // The greatest power of two that is not above `value`, `least` at least.
  function automatic int unsigned mover_power(input int unsigned value, input int unsigned least);
    return value <= least ? least : 32'd1 << ($clog2(value + 1) - 1);
  endfunction
  // Beats of a burst of at most 4 KiB.
  function automatic int unsigned mover_burst(input int unsigned beats, input int unsigned bytes);
    return mover_power(beats * bytes > 4096 ? 4096 / bytes : beats, 2);
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

  // A word of a descriptor on its way to a context: the bias, then for each dimension its stride and
  // its size, all in elements. A stride and a bias are signed, a size is not.
  typedef struct packed {
    logic         bias;
    logic         size;   // neither: a stride
    logic         inner;  // of dimension 1
    logic         reach;  // of a dimension that counts for the window alone
    logic         last;   // of its context
    logic         more;   // another context of the descriptor follows
    logic         wide;   // of a bias or a stride: has more than 64 bits
    mover_error_e error;  // MoverOk, or why there is no transfer
    logic [63:0]  data;
  } mover_word_t;

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
