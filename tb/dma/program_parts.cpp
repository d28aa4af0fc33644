// See program_parts.h.
#include "tb/dma/program_parts.h"

#include <fmt/format.h>

#include <functional>
#include <map>
#include <utility>

namespace tessera {
namespace {

using native::Descriptor;

constexpr const char* kAgain = "2/";

std::string TaskName(size_t c, size_t n) { return fmt::format("t{}.{}", c, n); }
std::string EntryName(size_t c, size_t n) { return fmt::format("l{}.{}", c, n); }
std::string DescriptorName(int number) { return fmt::format("d{}", number); }

size_t ChannelOf(const DmaConfig& config, int descriptor) {
  return static_cast<size_t>(descriptor / (config.descriptors / config.channels()));
}

// Descriptors of a program by number, and which of them are left.
class Chains {
 public:
  using Kept = std::function<bool(int)>;
  explicit Chains(Kept kept) : kept_(std::move(kept)) {}
  void Add(int number, Descriptor* descriptor) { all_[number] = descriptor; }

  // The first descriptor that is left of a chain, from one on.
  std::optional<int> First(std::optional<int> at) const {
    while (at && !kept_(*at)) at = all_.at(*at)->next;
    return at;
  }
  // Links what is left. The last one of a chain has a record again, unless `silent(number)`.
  void Link(const Kept& silent) {
    std::map<int, std::optional<int>> next;
    for (const auto& [number, descriptor] : all_) next[number] = First(descriptor->next);
    for (auto& [number, descriptor] : all_) {
      descriptor->next = next[number];
      if (!descriptor->next && !silent(number)) descriptor->no_record = false;
    }
  }

 private:
  Kept kept_;
  std::map<int, Descriptor*> all_;
};

// Keeps the items of a list that `kept(place)` says.
template <typename T, typename Kept>
void Filter(std::vector<T>* list, const Kept& kept) {
  std::vector<T> left;
  for (size_t n = 0; n < list->size(); ++n) {
    if (kept(n)) left.push_back(std::move((*list)[n]));
  }
  *list = std::move(left);
}

void ReduceList(const Parts& parts, const std::string& prefix, size_t c, bool silent,
                std::vector<Descriptor>* list) {
  Filter(list, [&](size_t n) { return parts.Has(prefix + EntryName(c, n)); });
  if (!list->empty() && !silent) list->back().no_record = false;
}

}  // namespace

Parts PartsOf(const DmaConfig& config, const DmaProgram& program, const DmaProgram* again) {
  Parts parts;
  size_t group = 0;
  const auto add = [&](const DmaProgram& p, const std::string& prefix) {
    for (size_t c = 0; c < p.channels.size(); ++c) {
      const DmaProgram::Channel& channel = p.channels[c];
      for (size_t n = 0; n < channel.tasks.size(); ++n)
        parts.Add(prefix + TaskName(c, n), group + c);
      for (size_t n = 0; n < channel.list.size(); ++n)
        parts.Add(prefix + EntryName(c, n), group + c);
    }
    for (const auto& [number, descriptor] : p.descriptors)
      parts.Add(prefix + DescriptorName(number), group + ChannelOf(config, number));
    group += p.channels.size();
  };
  add(program, "");
  if (again != nullptr) add(*again, kAgain);
  parts.Add("paces", group);
  parts.Add("memory", group + 1);
  return parts;
}

void Reduce(const Parts& parts, const DmaConfig& config, const std::string& prefix,
            DmaProgram* program) {
  std::map<int, Descriptor> before;
  Chains chains([&](int number) { return parts.Has(prefix + DescriptorName(number)); });
  for (auto& [number, descriptor] : program->descriptors) {
    before[number] = descriptor;
    chains.Add(number, &descriptor);
  }
  for (size_t c = 0; c < program->channels.size(); ++c) {
    DmaProgram::Channel& channel = program->channels[c];
    const std::vector<Descriptor> list = channel.list;
    ReduceList(parts, prefix, c, channel.silent_ends, &channel.list);
    std::vector<bool> kept(channel.tasks.size());
    std::vector<bool> pieces;  // of the stream, one for each execution that takes bytes
    for (size_t n = 0; n < kept.size(); ++n) {
      native::Task& task = channel.tasks[n].task;
      kept[n] = parts.Has(prefix + TaskName(c, n));
      const auto execute = [&](const Descriptor& d, const std::string& name) {
        if (!model::IsEmpty(d.transfer)) pieces.push_back(kept[n] && parts.Has(prefix + name));
      };
      for (int turn = 0; turn < task.repeats; ++turn) {
        for (size_t k = 0; task.from_list && k < list.size(); ++k)
          execute(list[k], EntryName(c, k));
        if (task.from_list) continue;
        for (std::optional<int> at = task.start; at; at = before.at(*at).next)
          execute(before.at(*at), DescriptorName(*at));
      }
      const std::optional<int> start = chains.First(task.start);
      kept[n] = kept[n] && (task.from_list ? !channel.list.empty() : !!start);
      if (start) task.start = *start;
    }
    Filter(&channel.tasks, [&](size_t n) { return kept[n]; });
    if (c < static_cast<size_t>(config.reads)) continue;
    Filter(&program->streams[c - static_cast<size_t>(config.reads)],
           [&](size_t n) { return n >= pieces.size() || pieces[n]; });
  }
  chains.Link([&](int n) { return program->channels[ChannelOf(config, n)].silent_ends; });
  Filter(&program->descriptors, [&](size_t n) {
    return parts.Has(prefix + DescriptorName(program->descriptors[n].first));
  });
}

void Reduce(const Parts& parts, DmaBenchOptions* options) {
  if (!parts.Has("paces")) {
    options->source.pacer = options->sink.pacer = {};
    options->control = options->responses = options->tokens = {};
  }
  if (parts.Has("memory")) return;
  const std::vector<ErrorRule> errors = options->memory.errors;
  options->memory = {};
  options->memory.errors = errors;
}

}  // namespace tessera
