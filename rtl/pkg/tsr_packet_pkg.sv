// The header word that begins a packet on an AI Engine stream.
package tsr_packet_pkg;

  typedef struct packed {
    logic       parity;  // odd: all 32 bits together hold an odd number of ones
    logic [2:0] zero3;
    logic [6:0] column;  // of the source
    logic [4:0] row;
    logic       zero1;
    logic [2:0] kind;    // packet type
    logic       zero0;
    logic [5:0] bd;      // out-of-order descriptor of the receiver
    logic [4:0] id;      // where the packet goes
  } header_t;

  function automatic logic parity_right(header_t header);
    return ^header;
  endfunction

  // The header with the parity that it must have.
  function automatic header_t sealed(header_t header);
    sealed        = header;
    sealed.parity = header.parity ^ !parity_right(header);
  endfunction

endpackage
