// Writes and reads a register of `tessera serve`, with the lines of the open driver's socket back
// end.
//   gcc examples/serve/client.c -o client && ./client PORT
#include <arpa/inet.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static const uint64_t kBase = UINT64_C(0x20000000000);

static void Say(int server, const char* line) {
  const size_t size = strlen(line);
  if (send(server, line, size, 0) != (ssize_t)size) exit(1);
}

static void Write(int server, uint64_t address, uint32_t value) {
  char line[64];
  snprintf(line, sizeof line, "W 0X%016" PRIX64 " 0X%08" PRIX32 "\n", kBase + address, value);
  Say(server, line);
}

static uint32_t Read(int server, uint64_t address) {
  char line[64];
  char answer[12] = "";
  snprintf(line, sizeof line, "R 0X%016" PRIX64 "\n", kBase + address);
  Say(server, line);
  if (recv(server, answer, 11, MSG_WAITALL) != 11) exit(1);
  return (uint32_t)strtoul(answer, NULL, 16);
}

int main(int argc, char** argv) {
  struct sockaddr_in address;
  memset(&address, 0, sizeof address);
  address.sin_family = AF_INET;
  address.sin_port = htons((uint16_t)(argc > 1 ? atoi(argv[1]) : 0));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int server = socket(AF_INET, SOCK_STREAM, 0);
  if (server < 0 || connect(server, (struct sockaddr*)&address, sizeof address) != 0) {
    fprintf(stderr, "no server at port %s\n", argc > 1 ? argv[1] : "0");
    return 1;
  }
  Write(server, 0x1d000, 0x1234);  // the length of descriptor 0 of the shim
  const uint32_t length = Read(server, 0x1d000);
  printf("length %" PRIu32 "\n", length);
  close(server);
  return length == 0x1234 ? 0 : 1;
}
