// The C header of the registers, in a program beside the C library.
#include <stdio.h>

#include "sw/driver/tessera/registers.h"

_Static_assert(_Alignof(tessera_t) == 4, "a register is one access");

int main(void) {
  FILE* out = stdout;
  return fprintf(out, "%u %d\n", (unsigned)GLOBAL_REGISTERS__ID__ID_bm, LOAD_ERROR__INVALID) < 0;
}
