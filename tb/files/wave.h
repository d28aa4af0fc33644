// Waveforms by the writer of output.h: the library that writes FST tells of no error, so the
// functions of its files are ours (wave_calls.h), and what it left is looked at once more.
#pragma once

#include <memory>
#include <string>

#include "tb/files/output.h"

namespace tessera {

class WaveFile {
 public:
  // Throws as OutputFile does.
  explicit WaveFile(const std::string& path);
  // What the library writes.
  const std::string& temporary() const { return file_.temporary(); }
  // The library has closed it: gives it its name. After an interrupt it is dropped. Throws
  // OutputError.
  void Finish();

 private:
  OutputFile file_;
};

}  // namespace tessera
