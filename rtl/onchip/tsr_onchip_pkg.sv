// The on-chip buffer: how its words are protected, and what it tells.
package tsr_onchip_pkg;

  import tsr_descriptor_pkg::*;

  // A byte is stored as it is, or with its parity, or in a group with check bits.
  function automatic int unsigned group_bits(input int unsigned check, input int unsigned lanes);
    return check != 32'(CheckEcc) ? 8 : lanes < 8 ? 32 : 64;
  endfunction
  function automatic int unsigned check_bits(input int unsigned check, input int unsigned lanes);
    return check == 32'(CheckNone) ? 0 : check == 32'(CheckParity) ? 1 : lanes < 8 ? 7 : 8;
  endfunction

  // The code of CheckEcc: bit n of the data has column n, an odd number of check bits, three or more, and no two have the
  // same: one wrong bit leaves an odd number of wrong check bits, two an even one.
  typedef logic [63:0][7:0] columns_t;
  function automatic columns_t columns(input int unsigned check);
    int unsigned found;
    columns = '0;
    found   = 0;
    for (int unsigned weight = 3; weight <= 7; weight += 2)
    for (int unsigned column = 0; column < 256; column++)
    if (found < 64 && column < 2 ** check && $countones(8'(column)) == int'(weight)) begin
      columns[found] = 8'(column);
      found++;
    end
  endfunction

  // Of a cycle.
  typedef struct packed {
    logic conflict;   // an access waits for its bank
    logic corrected;  // a wrong bit of a word, or of several, was corrected
    logic lost;       // a word is wrong and cannot be corrected
  } onchip_event_t;

endpackage
