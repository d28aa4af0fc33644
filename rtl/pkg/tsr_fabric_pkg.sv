// Types of the fabric: what a channel says with every address it puts on the bus, where it may go, what
// it is asked to do, and what may go wrong with it.
package tsr_fabric_pkg;

  // AxQOS, AxCACHE and AxPROT. Constant while the channel is not idle.
  typedef struct packed {
    logic [3:0] qos;
    logic [3:0] cache;
    logic [2:0] prot;
  } axi_attr_t;

  localparam logic [1:0] RespSlvErr = 2'b10;

  localparam int unsigned PageBits = 12;  // no burst crosses 4 KiB

  // Pages first .. last, both included, that a channel may use. Read and write both 0: unused.
  typedef struct packed {
    logic [63-PageBits:0] first;
    logic [63-PageBits:0] last;
    logic                 read;
    logic                 write;
    logic                 lock;   // stays as it is until reset
  } window_t;

  // What a channel is asked to do: levels, held until it is so.
  typedef struct packed {
    logic       pause;    // no new bursts
    logic       drain;    // no new transfers
    logic       reset;    // abort, then clear everything of the channel
    logic       give_up;  // reset although the memory owes answers
    logic [6:0] stop_on;  // a record with one of these bits of its status is a fault
  } channel_control_t;

  typedef enum logic [3:0] {
    FaultNone       = 4'd0,
    FaultEarlyLast  = 4'd1,  // RLAST before the last beat of a burst
    FaultLateLast   = 4'd2,  // no RLAST with the last beat
    FaultUnasked    = 4'd3,  // data or an answer without a burst
    FaultEarly      = 4'd4,  // a write was answered before its last beat was taken
    FaultDoubt      = 4'd5,  // one ID, and the order of answers cannot be trusted
    FaultBusTime    = 4'd6,  // the bus has not moved for too long
    FaultStreamTime = 4'd7,  // the stream has not
    FaultStream     = 4'd8,  // the stream took back or changed a beat that it had offered
    FaultRecord     = 4'd9   // a record with a bit of `stop_on`
  } fault_e;

  // `transfer` counts records since reset: with `named` it is the transfer whose record has told of the
  // fault, and `addr` the address in it; without, the oldest that had no record when the fault came.
  typedef struct packed {
    logic        idle;      // no transfer in hand, nothing on the bus
    logic        paused;    // nothing on the bus, and nothing will be while `pause`
    logic        in_reset;  // cleared; stays so until `reset` falls
    logic        stuck;     // a reset waits for answers that do not come
    logic        faulted;   // takes no transfers until reset
    fault_e      cause;
    logic        named;
    logic [15:0] transfer;
    logic [63:0] addr;
  } channel_state_t;

endpackage
