// Moves words through a memory tile of `tessera serve` with nothing but the lines of the open
// driver's socket back end. Run it where the server runs, or where its port file is:
//   tessera serve &
//   gcc examples/aieml/serve/client.c -o client && ./client
#include <inttypes.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static const uint64_t kTile = UINT64_C(0x20000100000);  // base address; memory tile of column 0
enum { kWords = 16, kTo = 0x400, kOn = 1u << 31 };

static int server = -1;

static void Say(const char* line) {
  const size_t size = strlen(line);
  if (send(server, line, size, 0) != (ssize_t)size) exit(1);
}

static void Write(uint32_t offset, uint32_t value) {
  char line[64];
  snprintf(line, sizeof line, "W 0X%016" PRIX64 " 0X%08" PRIX32 "\n", kTile + offset, value);
  Say(line);
}

static uint32_t Read(uint32_t offset) {
  char line[64], answer[12] = "";
  snprintf(line, sizeof line, "R 0X%016" PRIX64 "\n", kTile + offset);
  Say(line);
  if (recv(server, answer, 11, MSG_WAITALL) != 11) exit(1);
  return (uint32_t)strtoul(answer, NULL, 16);
}

// The port is the first line of the file, given to the resolver as it is.
static void Connect(const char* port_file) {
  char port[32] = "";
  FILE* file = fopen(port_file, "r");
  if (file == NULL || fgets(port, sizeof port, file) == NULL) {
    fprintf(stderr, "there is no port in %s: is `tessera serve` running here?\n", port_file);
    exit(1);
  }
  fclose(file);
  struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM}, *found = NULL;
  if (getaddrinfo("localhost", port, &hints, &found) == 0) {
    server = socket(found->ai_family, found->ai_socktype, found->ai_protocol);
  }
  if (server < 0 || connect(server, found->ai_addr, found->ai_addrlen) != 0) {
    fprintf(stderr, "no server at port \"%s\"\n", port);
    exit(1);
  }
  freeaddrinfo(found);
}

int main(void) {
  Connect("mesim_output/mesimulator_aximm_port");
  for (uint32_t n = 0; n < kWords; ++n) Write(4 * n, 0x100 + n);
  const uint32_t from[8] = {kWords, 0x80000 / 4, [7] = kOn};        // a descriptor of the local
  const uint32_t to[8] = {kWords, (0x80000 + kTo) / 4, [7] = kOn};  // memory, valid
  for (uint32_t n = 0; n < 8; ++n) Write(0xa0000 + 4 * n, from[n]);
  for (uint32_t n = 0; n < 8; ++n) Write(0xa0020 + 4 * n, to[n]);
  Write(0xb0100, kOn);  // the stream of MM2S 0 leads to S2MM 0
  Write(0xb0000, kOn);
  Write(0xa0604, 1);  // S2MM 0 takes descriptor 1, MM2S 0 descriptor 0
  Write(0xa0634, 0);
  uint32_t polls = 1;
  for (; (Read(0xa0660) & 1u << 19) != 0; ++polls) usleep(200);
  for (uint32_t n = 0; n < kWords; ++n) {
    const uint32_t word = Read(kTo + 4 * n);
    if (word == 0x100 + n) continue;
    fprintf(stderr, "word %" PRIu32 " is 0x%" PRIx32 "\n", n, word);
    return 1;
  }
  printf("%d words, done at poll %" PRIu32 "\n", kWords, polls);
  close(server);
  return 0;
}
