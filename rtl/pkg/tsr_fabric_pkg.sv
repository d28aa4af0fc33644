// Types between engines, ports and the bus.
//
// Types whose widths depend on the build are in rtl/prim/tsr_types.svh.
package tsr_fabric_pkg;
  import tsr_descriptor_pkg::fault_e;

  // ---- The bus ----------------------------------------------------------------------------------

  // AxQOS, AxCACHE and AxPROT. Constant while the channel is not idle.
  typedef struct packed {
    logic [3:0] qos;
    logic [3:0] cache;
    logic [2:0] prot;
  } axi_attr_t;

  localparam logic [1:0] RespRefused = 2'b01;  // to the engine: no window permits the burst
  localparam logic [1:0] RespOkay = 2'b00;
  localparam logic [1:0] RespSlvErr = 2'b10;
  localparam logic [1:0] RespDecErr = 2'b11;
  localparam logic [1:0] BurstIncr = 2'b01;

  // ---- Windows ----------------------------------------------------------------------------------

  localparam int unsigned PageBits = 12;  // no burst crosses 4 KiB

  // Pages first .. last, both included, that a channel may use. Read and write both 0: unused.
  typedef struct packed {
    logic [63-PageBits:0] first;
    logic [63-PageBits:0] last;
    logic                 read;
    logic                 write;
    logic                 lock;   // stays as it is until reset
  } window_t;

  // ---- Control and state of a channel -----------------------------------------------------------

  // `transfer` counts records since reset, modulo 2**16: with `named` it is the transfer whose record has
  // told of the fault, the first with SLVERR, and `addr` the address in it; without, the oldest that had no
  // record when the fault came.
  typedef struct packed {
    logic        idle;      // no transfer in hand, no address on its way: attributes may change
    logic        owed;      // an address is on its way, or the memory has not answered all
    logic        paused;    // nothing on the bus, and nothing will be while `pause`
    logic        in_reset;  // cleared; stays so until `reset` falls
    logic        stuck;     // a reset waits for answers that do not come
    logic        faulted;   // takes no transfers until reset
    fault_e      cause;
    logic        named;
    logic [15:0] transfer;
    logic [63:0] addr;
  } channel_state_t;

  // A request to bring all channels to rest, answered.
  typedef struct packed {
    logic quiet;      // nothing is on the bus; a reset of everything may come
    logic timed_out;  // something is on the bus and does not move
  } rest_t;

  // What a channel does on its port in a cycle.
  typedef struct packed {
    logic burst;    // an address was taken
    logic blocked;  // an address waits for its turn, or for credit
  } bus_events_t;

endpackage
