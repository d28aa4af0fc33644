/* Preloaded by output_test.cpp: of the calls that make or read files within a folder, one fails.
   FAULT_FOLDER: the folder; FAULT_AT: which call, from 1 on; FAULT_ERROR: errno that it sets;
   FAULT_SIGNAL: instead, a signal that comes before the call; FAULT_LOG: a file into which each
   call is told. Calls of the C library's own stdio are not seen.
   Of the thousands of fwrite of a waveform the first alone is such a call. FAULT_FWRITE: which of
   all fails, from 1 on; FAULT_FWRITES: a file into which their number is told.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int calls, fwrites;
static FILE* written; /* opened for writing */

static int within(const char* path) {
  const char* folder = getenv("FAULT_FOLDER");
  return folder != NULL && path != NULL && strncmp(path, folder, strlen(folder)) == 0;
}

static int within_fd(int fd) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const ssize_t size = readlink(link, path, sizeof path - 1);
  if (size < 0) return 0;
  path[size] = '\0';
  return within(path);
}

/* Tells a line into the file that a variable names; its own calls are none that may fail. */
static void tell(const char* variable, const char* line) {
  const char* path = getenv(variable);
  if (path == NULL) return;
  int (*real)(const char*, int, ...) = (int (*)(const char*, int, ...))dlsym(RTLD_NEXT, "open");
  ssize_t (*put)(int, const void*, size_t) =
      (ssize_t(*)(int, const void*, size_t))dlsym(RTLD_NEXT, "write");
  int (*end)(int) = (int (*)(int))dlsym(RTLD_NEXT, "close");
  const int fd = real(path, O_WRONLY | O_CREAT | O_APPEND, 0666);
  if (put(fd, line, strlen(line)) < 0 || put(fd, "\n", 1) < 0) abort();
  end(fd);
}

/* True if this call is to fail. */
static int fault(const char* name) {
  const char* at = getenv("FAULT_AT");
  const int now = ++calls;
  tell("FAULT_LOG", name);
  if (at == NULL || now != atoi(at)) return 0;
  if (getenv("FAULT_SIGNAL") != NULL) {
    raise(atoi(getenv("FAULT_SIGNAL")));
    return 0;
  }
  errno = atoi(getenv("FAULT_ERROR"));
  return 1;
}

#define REAL(type, name, ...) \
  type (*real)(__VA_ARGS__) = (type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

static int open_any(const char* name, const char* path, int flags, mode_t mode) {
  int (*real)(const char*, int, ...) = (int (*)(const char*, int, ...))dlsym(RTLD_NEXT, name);
  if (within(path) && fault(flags & O_CREAT ? "create" : "open")) return -1;
  return real(path, flags, mode);
}

int open(const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const mode_t mode = flags & O_CREAT ? va_arg(list, mode_t) : 0;
  va_end(list);
  return open_any("open", path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const mode_t mode = flags & O_CREAT ? va_arg(list, mode_t) : 0;
  va_end(list);
  return open_any("open64", path, flags, mode);
}

FILE* fopen64(const char* path, const char* mode) {
  REAL(FILE*, "fopen64", const char*, const char*);
  if (strchr(mode, 'w') != NULL && within(path) && fault("fopen")) return NULL;
  FILE* file = real(path, mode);
  if (strchr(mode, 'w') != NULL && within(path)) written = file;
  return file;
}

FILE* fopen(const char* path, const char* mode) {
  REAL(FILE*, "fopen", const char*, const char*);
  if (strchr(mode, 'w') != NULL && within(path) && fault("fopen")) return NULL;
  FILE* file = real(path, mode);
  if (strchr(mode, 'w') != NULL && within(path)) written = file;
  return file;
}

int fclose(FILE* file) {
  REAL(int, "fclose", FILE*);
  const int ours = file == written;
  if (ours) {
    char count[16];
    snprintf(count, sizeof count, "%d", fwrites);
    tell("FAULT_FWRITES", count);
    written = NULL;
  }
  const int result = real(file);
  return ours && fault("fclose") ? EOF : result;
}

ssize_t write(int fd, const void* bytes, size_t size) {
  REAL(ssize_t, "write", int, const void*, size_t);
  if (within_fd(fd) && fault("write")) return -1;
  return real(fd, bytes, size);
}

size_t fwrite(const void* bytes, size_t size, size_t count, FILE* file) {
  REAL(size_t, "fwrite", const void*, size_t, size_t, FILE*);
  if (within_fd(fileno(file))) {
    const char* at = getenv("FAULT_FWRITE");
    if (++fwrites == 1 && fault("fwrite")) return 0;
    if (at != NULL && fwrites == atoi(at)) {
      errno = EIO;
      return 0;
    }
  }
  return real(bytes, size, count, file);
}

int fflush(FILE* file) {
  REAL(int, "fflush", FILE*);
  return file != NULL && file == written && fault("fflush") ? EOF : real(file);
}

int fsync(int fd) {
  REAL(int, "fsync", int);
  return within_fd(fd) && fault("fsync") ? -1 : real(fd);
}

int fchmod(int fd, mode_t mode) {
  REAL(int, "fchmod", int, mode_t);
  return within_fd(fd) && fault("fchmod") ? -1 : real(fd, mode);
}

int close(int fd) {
  REAL(int, "close", int);
  const int ours = within_fd(fd);
  const int result = real(fd);
  return ours && fault("close") ? -1 : result;
}

ssize_t pread64(int fd, void* bytes, size_t size, off64_t at) {
  REAL(ssize_t, "pread64", int, void*, size_t, off64_t);
  return within_fd(fd) && fault("pread") ? -1 : real(fd, bytes, size, at);
}

ssize_t pread(int fd, void* bytes, size_t size, off_t at) {
  REAL(ssize_t, "pread", int, void*, size_t, off_t);
  return within_fd(fd) && fault("pread") ? -1 : real(fd, bytes, size, at);
}

int fstat(int fd, struct stat* found) {
  REAL(int, "fstat", int, struct stat*);
  return within_fd(fd) && fault("fstat") ? -1 : real(fd, found);
}

int fstat64(int fd, struct stat64* found) {
  REAL(int, "fstat64", int, struct stat64*);
  return within_fd(fd) && fault("fstat") ? -1 : real(fd, found);
}

int rename(const char* from, const char* to) {
  REAL(int, "rename", const char*, const char*);
  return within(to) && fault("rename") ? -1 : real(from, to);
}

int mkdir(const char* path, mode_t mode) {
  REAL(int, "mkdir", const char*, mode_t);
  return within(path) && fault("mkdir") ? -1 : real(path, mode);
}
