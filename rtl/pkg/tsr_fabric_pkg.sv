// Types of the fabric: what a channel says with every address it puts on the bus.
package tsr_fabric_pkg;

  // AxQOS, AxCACHE and AxPROT. Constant while the channel is not idle.
  typedef struct packed {
    logic [3:0] qos;
    logic [3:0] cache;
    logic [2:0] prot;
  } axi_attr_t;

endpackage
