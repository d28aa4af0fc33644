// See bins.h.
#include "tb/cover/bins.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <string>

#include "tb/files/output.h"

namespace tessera {

uint64_t Bins::hits(const std::string& item, const std::string& bin) const {
  const auto found = hits_.find(item);
  if (found == hits_.end()) return 0;
  const auto count = found->second.find(bin);
  return count == found->second.end() ? 0 : count->second;
}

void Bins::Write(const std::filesystem::path& path) const {
  std::string text = "# SystemC::Coverage-3\n";
  for (const auto& [item, bins] : hits_) {
    for (const auto& [bin, count] : bins) {
      text +=
          fmt::format("C '\x01page\x02v_user/plan\x01o\x02{}\x01h\x02{}' {}\n", bin, item, count);
    }
  }
  WriteOutput(path.string(), text);
}

Bins* Bins::OfProgram() {
  struct Store {
    Store() : folder(std::getenv("TESSERA_COVERAGE_DIR")) {}
    ~Store() {
      if (folder == nullptr) return;
      try {
        bins.Write(std::filesystem::path(folder) / fmt::format("bins-{}.dat", getpid()));
      } catch (const std::exception& error) {  // main() has returned: nobody else can fail
        fmt::print(stderr, "{}\n", error.what());
        _exit(1);
      }
    }
    const char* folder;
    Bins bins;
  };
  static Store store;
  return store.folder == nullptr ? nullptr : &store.bins;
}

}  // namespace tessera
