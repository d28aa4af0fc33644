// Job files of any bytes: a job or one sentence, never anything else. For libFuzzer.
//
// What parses is checked against four configurations and, if it is small, prepared to run: files,
// patterns, overlaps, what the reference model says of it. A message that is not one sentence, an
// exception of another kind, an assertion or a sanitizer's report is a finding.
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "tests/cli/fuzz/mutate_json.h"
#include "tools/job/job.h"
#include "tools/prepare/prepare.h"

namespace tessera {

// The configurations of this program: no models are linked.
std::vector<Config> Configs() {
  Config typical, poor, loopback;
  typical.name = "typical";
  poor.name = "poor";
  poor.addr_width = 32;
  poor.data_bytes = 4;
  poor.stream_bytes = 1;
  poor.walk = poor.bounds = false;
  loopback.name = "loopback";
  loopback.loopback = true;
  return {typical, poor, loopback};
}

std::vector<DmaConfig> Dmas() {
  DmaConfig basic, several;
  basic.channel.name = "basic";
  basic.tokens = basic.triggers = true;
  several.channel.name = "several";
  several.channel.walk = several.channel.bounds = false;
  several.reads = 3;
  several.writes = 2;
  several.locks = 2;
  return {basic, several};
}

namespace {

void Sentence(const std::string& text) {
  const bool one_line = text.find('\n') == std::string::npos;
  const bool names_file = text.starts_with("f.json: ");
  const bool says_legal =
      text.find("legal") != std::string::npos || text.find("no JSON") != std::string::npos;
  if (one_line && names_file && says_legal && text.size() < 2000) return;
  std::fprintf(stderr, "no good sentence: %s\n", text.c_str());
  std::abort();
}

template <typename Function>
void SentenceOrGood(Function&& function) {
  try {
    function();
  } catch (const job::Error& error) {
    Sentence(error.what());
  }
}

bool Small(const job::Job& job) {
  uint64_t work = 0;
  for (const job::Channel& channel : job.channels) {
    for (const job::NamedTransfer& t : channel.transfers) {
      work += model::Positions(t.value) * static_cast<uint64_t>(t.value.elem);
    }
    if (channel.stream.source) work += channel.stream.source->size;
    for (const job::Task& task : channel.tasks) {
      for (const job::Descriptor& d : job.descriptors) {
        work += (1 + model::Positions(d.transfer.value) *
                         static_cast<uint64_t>(d.transfer.value.elem)) *
                task.repeats;
        if (work > 20000) return false;
      }
    }
  }
  for (const job::Region& region : job.memories) {
    work += region.size.value_or(0);
    for (const auto* contents : {&region.data, &region.expect}) {
      if (*contents) work += (*contents)->size;
    }
  }
  return work < 20000;
}

}  // namespace
}  // namespace tessera

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  if (*argc != 2 || (*argv)[1] != std::string_view("--schema")) return 0;
  std::fputs(tessera::job::SchemaText().c_str(), stdout);
  std::exit(0);
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size,
                                          unsigned int seed) {
  return tessera::MutateJson(data, size, max_size, seed);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tessera;
  SentenceOrGood([&] {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const job::Job job = job::ParseJob(text, "f.json");
    for (const Config& config : Configs()) {
      SentenceOrGood([&] { job::CheckJob(job, config); });
    }
    for (const DmaConfig& dma : Dmas()) {
      SentenceOrGood([&] { job::CheckJob(job, dma); });
    }
    if (!Small(job)) return;
    cli::Prepared prepared;
    cli::Prepare(job, &prepared);
  });
  return 0;
}
