/* Memory to memory through both engines: the library in C. */
#include <stdio.h>
#include <string.h>
#include <tessera/sim.h>

int main(void) {
  static uint8_t from[1000], to[1000];
  for (int n = 0; n < 1000; ++n) from[n] = (uint8_t)(n * 7);

  tessera_options options;
  tessera_options_init(&options);
  options.join = 1; /* what is read is what is written */
  tessera_sim* sim = tessera_create(&options);
  if (sim == NULL) return puts(tessera_error(NULL)), 1;

  tessera_transfer transfer;
  tessera_transfer_init(&transfer);
  transfer.count[0] = 1000;
  transfer.stride[0] = 1;
  int failed = tessera_attach_buffer(sim, 0x1000, from, sizeof from);
  failed |= tessera_attach_buffer(sim, 0x8003, to, sizeof to);
  transfer.base = 0x1000;
  failed |= tessera_queue(sim, TESSERA_READ, &transfer, NULL);
  transfer.base = 0x8003;
  failed |= tessera_queue(sim, TESSERA_WRITE, &transfer, NULL);
  if (!failed) failed = tessera_run(sim);
  if (failed) return puts(tessera_error(sim)), 1;

  tessera_record record;
  tessera_record_init(&record);
  tessera_record_get(sim, TESSERA_WRITE, 0, &record);
  printf("%d bytes written by cycle %d\n", (int)record.bytes, (int)record.done_cycle);
  tessera_destroy(sim);
  return memcmp(from, to, sizeof from) == 0 && record.status == TESSERA_OK ? 0 : 1;
}
