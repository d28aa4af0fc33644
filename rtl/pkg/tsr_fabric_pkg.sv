// Types of the fabric: what a channel says with every address it puts on the bus, and where it may go.
package tsr_fabric_pkg;

  // AxQOS, AxCACHE and AxPROT. Constant while the channel is not idle.
  typedef struct packed {
    logic [3:0] qos;
    logic [3:0] cache;
    logic [2:0] prot;
  } axi_attr_t;

  localparam int unsigned PageBits = 12;  // no burst crosses 4 KiB

  // Pages first .. last, both included, that a channel may use. Read and write both 0: unused.
  typedef struct packed {
    logic [63-PageBits:0] first;
    logic [63-PageBits:0] last;
    logic                 read;
    logic                 write;
    logic                 lock;   // stays as it is until reset
  } window_t;

endpackage
