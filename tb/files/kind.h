// What a file is, if it is no regular one.
#pragma once

#include <sys/stat.h>

namespace tessera {

inline const char* KindOf(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISCHR(mode) || S_ISBLK(mode)) return "a device";
  if (S_ISFIFO(mode)) return "a FIFO";
  return S_ISSOCK(mode) ? "a socket" : "no regular file";
}

}  // namespace tessera
