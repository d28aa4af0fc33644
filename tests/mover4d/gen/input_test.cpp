// Files that specifications of kernels name: a fault of any call is a sentence.
#include <filesystem>
#include <string>

#include "tb/check/plan.h"
#include "tests/cli/output_fixture.h"

namespace tessera {
namespace {

class KernelFault : public FaultTest {};

TEST_F(KernelFault, EveryFileOperationOfARomMayFail) {
  Proves({"in.files"});
  fs::create_directory(folder_ / "in");
  for (const char* name : {"send.json", "window.txt"}) {
    fs::copy_file(std::string(TESSERA_SOURCE_DIR "/examples/mover4d/") + name,
                  folder_ / (std::string("in/") + name));
  }
  ExpectReadFaultsTold({"gen --check @send.json"});
}

}  // namespace
}  // namespace tessera
