// The C header of the registers, in a program beside the C library.
#include <stdio.h>

#include "sw/driver/tessera/registers.h"

int main(void) {
  FILE* out = stdout;
  return fprintf(out, "%u %d\n", (unsigned)GLOBAL_REGISTERS__ID__ID_bm, LOAD_ERROR__INVALID) < 0;
}
