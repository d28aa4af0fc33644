/* Tessera's simulation library in C: the verilated RTL of an engine pair with memory and streams
 * around it. The same in C++: tessera/sim.hpp. docs/library.md tells more.
 *
 *   tessera_options options;
 *   tessera_options_init(&options);
 *   tessera_sim* sim = tessera_create(&options);
 *   if (sim == NULL) puts(tessera_error(NULL));
 *
 * Every struct that crosses the interface begins with its size, set by its _init function, so that
 * programs and libraries of different versions understand each other: new members come at the end.
 * A function that returns int returns 0, or -1 when it failed; tessera_error then says why: a
 * sentence, and lines about who waits for whom may follow. A simulation is used by one thread at a
 * time.
 */
#ifndef TESSERA_SIM_H
#define TESSERA_SIM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TESSERA_SIM_API 1 /* changes when a program has to change */
#define TESSERA_NO_CYCLE UINT64_MAX

typedef struct tessera_sim tessera_sim;

enum { TESSERA_READ = 0, TESSERA_WRITE = 1 }; /* memory to stream, stream to memory */
enum { TESSERA_LAST_NEVER, TESSERA_LAST_TRANSFER, TESSERA_LAST_TASK, TESSERA_LAST_LEVEL };
enum { TESSERA_FINISH_LENGTH, TESSERA_FINISH_LAST };
enum { TESSERA_END_OPEN, TESSERA_END_BEAT, TESSERA_END_LAST }; /* nothing, the beat, the packet */
enum {
  TESSERA_OK = 0,
  TESSERA_SLVERR = 1,
  TESSERA_DECERR = 2,
  TESSERA_OVERLONG = 4,
  TESSERA_PARTIAL_ELEMENT = 8,
  TESSERA_SPARSE_KEEP = 16,
  TESSERA_ABORTED = 32,
  TESSERA_ILLEGAL = 64
};

typedef struct {
  uint32_t size;
  int32_t address_bits, bus_bytes, stream_bytes, max_burst, outstanding;
  int32_t walk, bounds, loopback; /* 0 or 1 */
  const char* name;               /* lives as long as the library */
} tessera_configuration;

/* Pacers say when somebody is willing: "always", "never", "p=0.5", "bursts=1-8/0-20", "list=1101";
 * NULL is "always". */
typedef struct {
  uint32_t size;
  int32_t join; /* 1: what is read is what is written, joined outside the hardware */
  const char* config;
  uint64_t seed;
  uint32_t latency_min, latency_max, max_reads, max_writes;
  const char *ar, *r, *aw, *w, *b, *sink, *source;
  uint64_t timeout;
} tessera_options;

typedef struct {
  int32_t used; /* 0: the level is absent */
  int32_t dim, step;
  uint32_t count;
} tessera_walk;

/* A transfer as docs/transfer.md defines it. */
typedef struct {
  uint32_t size;
  int32_t elem;
  uint64_t base, offset;
  uint32_t count[4];
  int64_t stride[4];
  int32_t start[4];
  int32_t bounded[4]; /* 0: the dimension is unbounded */
  uint32_t bound[4];
  tessera_walk walk[4];
  int32_t has_length;
  uint32_t length;
  uint64_t fill;
  int32_t last_rule, last_level, join_next, task_end, finish;
} tessera_transfer;

typedef struct {
  uint32_t size;
  int32_t done;    /* 0: the transfer waits or runs, and what follows is not there */
  uint32_t status; /* TESSERA_OK or a sum of others */
  int32_t last;    /* its last byte went with TLAST */
  uint64_t bytes, dropped, addr, accepted_cycle, done_cycle;
} tessera_record;

typedef struct {
  uint64_t transfers, done, bursts, bus_beats, stream_beats;
} tessera_way;

typedef struct {
  uint32_t size;
  uint32_t reserved;
  uint64_t cycles;
  tessera_way read, write;
} tessera_report;

/* Memory of the user's own making; enable[n] is 0 for a byte that is not written. */
typedef struct {
  uint32_t size;
  void* context;
  void (*read)(void* context, uint64_t address, uint8_t* data, size_t size);
  void (*write)(void* context, uint64_t address, const uint8_t* data, const uint8_t* enable,
                size_t size);
} tessera_device;

const char* tessera_version(void);
size_t tessera_configurations(void);
int tessera_configuration_get(size_t number, tessera_configuration* out); /* out->size is set */

void tessera_configuration_init(tessera_configuration* out);
void tessera_options_init(tessera_options* out);
void tessera_transfer_init(tessera_transfer* out);
void tessera_record_init(tessera_record* out);
void tessera_report_init(tessera_report* out);
void tessera_device_init(tessera_device* out);

/* NULL if it failed; options may be NULL. */
tessera_sim* tessera_create(const tessera_options* options);
void tessera_destroy(tessera_sim* sim);
/* Why the latest call failed; NULL instead of a simulation: of this thread's calls without one. */
const char* tessera_error(const tessera_sim* sim);

int tessera_write_memory(tessera_sim* sim, uint64_t address, const void* data, size_t size);
int tessera_read_memory(tessera_sim* sim, uint64_t address, void* data, size_t size);
/* The caller's bytes are the memory from `address` on; they must outlive the simulation. */
int tessera_attach_buffer(tessera_sim* sim, uint64_t address, void* data, size_t size);
int tessera_attach_device(tessera_sim* sim, uint64_t address, uint64_t size,
                          const tessera_device* device);

/* `number`, which may be NULL, becomes that of the transfer in its direction, from 0. */
int tessera_queue(tessera_sim* sim, int direction, const tessera_transfer* transfer,
                  size_t* number);
int tessera_send(tessera_sim* sim, const void* data, size_t size, int end);
/* Takes at most `most` bytes of what the read engine has sent; `size` becomes how many. */
int tessera_receive(tessera_sim* sim, void* data, size_t most, size_t* size);

int tessera_step(tessera_sim* sim, uint64_t cycles);
/* Until every transfer has its record and nothing moves. */
int tessera_run(tessera_sim* sim);
int tessera_idle(const tessera_sim* sim); /* 1: so it is */
uint64_t tessera_cycle(const tessera_sim* sim);

int tessera_record_get(tessera_sim* sim, int direction, size_t number, tessera_record* out);
int tessera_report_get(tessera_sim* sim, tessera_report* out);

int tessera_abort(tessera_sim* sim, int direction);
int tessera_reset(tessera_sim* sim, uint32_t cycles);
int tessera_trace(tessera_sim* sim, const char* path); /* NULL ends it */

#ifdef __cplusplus
}
#endif

#endif
