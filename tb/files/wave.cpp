// See wave.h and wave_calls.h.
#include "tb/files/wave.h"

#include <sys/mman.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string_view>
#include <utility>

#include "tb/files/interrupt.h"
#include "tb/files/wave_calls.h"
#undef fopen
#undef tmpfile
#undef fclose
#undef fflush
#undef fwrite
#undef mmap

namespace tessera {
namespace {

thread_local int wave_error = 0;  // the first since a file was opened; 0: none

void Note(int error) {
  if (wave_error == 0) wave_error = error != 0 ? error : EIO;
}

// A file is a chain of blocks: a byte that names its kind, then its length in 8 bytes, the highest
// first. The first is the header, the kind 255 an unfinished block.
bool IsWhole(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const std::streamoff size = file.tellg();
  std::streamoff at = 0;
  bool geometry = false;
  while (at + 9 <= size) {
    std::array<unsigned char, 9> head{};
    file.seekg(at);
    if (!file.read(reinterpret_cast<char*>(head.data()), head.size())) return false;
    constexpr unsigned kHeader = 0, kGeometry = 3, kUnfinished = 255;
    uint64_t length = 0;
    for (size_t n = 1; n < head.size(); ++n) length = length << 8 | head[n];
    if (head[0] == kUnfinished || (head[0] == kHeader) != (at == 0)) return false;
    if (length < 8 || length > static_cast<uint64_t>(size - at - 1)) return false;
    geometry |= head[0] == kGeometry;
    at += static_cast<std::streamoff>(length) + 1;
  }
  return at == size && geometry;
}

}  // namespace

WaveFile::WaveFile(const std::string& path) : file_(path) { wave_error = 0; }

void WaveFile::Finish() {
  if (Interrupted()) return;
  if (const int error = std::exchange(wave_error, 0)) {
    throw OutputError(file_.path() + ": cannot be written: " + std::strerror(error));
  }
  if (!IsWhole(file_.temporary())) {
    throw OutputError(file_.path() + ": cannot be written: the waveform is cut");
  }
  file_.Commit();
}

}  // namespace tessera

FILE* tessera_wave_helper() {
  const int fd = memfd_create("tessera wave", MFD_CLOEXEC);
  FILE* file = fd < 0 ? nullptr : fdopen(fd, "w+b");
  if (file == nullptr) tessera::Note(errno);
  return file;
}

FILE* tessera_wave_open(const char* name, const char* mode) {
  if (std::string_view(name).ends_with(".hier")) return tessera_wave_helper();
  if (FILE* file = fopen(name, mode)) return file;
  tessera::Note(errno);
  return tessera_wave_helper();  // the library knows no way without a file
}

int tessera_wave_close(FILE* file) {
  const bool broken = ferror(file) != 0;
  errno = 0;
  const int closed = fclose(file);
  if (broken || closed != 0) tessera::Note(errno != 0 ? errno : ENOSPC);
  return closed;
}

int tessera_wave_flush(FILE* file) {
  const int result = fflush(file);
  if (result != 0) tessera::Note(errno);
  return result;
}

size_t tessera_wave_write(const void* bytes, size_t size, size_t count, FILE* file) {
  const size_t written = fwrite(bytes, size, count, file);
  if (written != count && size != 0) tessera::Note(errno);
  return written;
}

void* tessera_wave_map(void* address, size_t length, int protection, int flags, int fd,
                       off_t offset) {
  struct stat found {};
  const bool whole = fstat(fd, &found) == 0 && offset + static_cast<off_t>(length) <= found.st_size;
  if (whole) return mmap(address, length, protection, flags, fd, offset);
  tessera::Note(ENOSPC);  // what could not be written cannot be mapped
  return mmap(nullptr, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}
