// The C headers of the registers, both of them in one program beside the C library.
#include <stdio.h>

#include "sw/driver/tessera/mover4d/mover_registers.h"
#include "sw/driver/tessera/registers.h"

_Static_assert(_Alignof(tessera_mover_t) == 4, "a register is one access");

int main(void) {
  FILE* out = stdout;
  return fprintf(out, "%u\n", (unsigned)GLOBAL_REGISTERS__ID__ID_bm) < 0 ||
         MOVER_CONTROL_REGISTERS__AP_CTRL__START_bm == 0;
}
