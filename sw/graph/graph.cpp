// The calls that control a graph. Each says why if it does not return ok.
#include <fmt/format.h>

#include <cstring>

#include "run.hpp"

namespace adf {
namespace detail {
namespace {

using tessera::graph::Outcome;
using tessera::graph::TheEngine;
using State = GraphNode::State;

const char* NameOf(State state) {
  constexpr const char* kNames[] = {"was not initialised", "does not run", "runs",
                                    "is paused by wait(cycles)", "has ended"};
  return kNames[static_cast<size_t>(state)];
}

return_code Wrong(const char* call, State state, const char* legal) {
  return Refuse(return_code::user_error,
                fmt::format("{}: the graph {}; {}", call, NameOf(state), legal));
}

return_code NoWait(const char* call, State state) {
  return Wrong(
      call, state,
      state == State::kPaused ? "resume() or end() comes after wait(cycles)" : "run() comes first");
}

return_code Stuck(const char* call, const Run& run) {
  return Refuse(return_code::user_error,
                fmt::format("{}: nothing moves any more, and kernels have not done their "
                            "iterations\n{}",
                            call, run.State()));
}

void CheckElements(const PortNode& port, ElementType type, size_t count, const char* what) {
  if (port.element == type && port.count == count) return;
  Fail(fmt::format("{} has {} elements of {} bytes, {} of {} {} at once and types must be equal",
                   port.Name(), port.count, port.element.size(), count, type.size(), what));
}

}  // namespace

return_code Update(GraphNode* graph, PortNode* port, const void* data, ElementType type,
                   size_t count) {
  return Guarded("update", [&] {
    if (!graph->run) return Wrong("update", graph->state, "init() comes first");
    const std::vector<PortNode*> targets = Targets(port);
    if (targets.empty()) Fail("the port is connected to no parameter");
    for (PortNode* target : targets) {
      if (target->kind != Kind::kParameter || target->parameter == nullptr) {
        Fail(fmt::format("{} is no run-time parameter of this graph", target->Name()));
      }
      CheckElements(*target, type, count, "were given; the whole array is updated");
    }
    for (PortNode* target : targets) {
      Parameter& parameter = *target->parameter;
      // A synchronous parameter holds one value until its kernel has taken it.
      if (target->dir == input && !target->async && parameter.updates != parameter.consumed) {
        const auto taken = [&] { return parameter.updates == parameter.consumed; };
        if (TheEngine().RunUntil(taken) != Outcome::kDone) return Stuck("update", *graph->run);
      }
      parameter.Set(data);
    }
    return return_code::ok;
  });
}

return_code Read(GraphNode* graph, PortNode* port, void* data, ElementType type, size_t count) {
  return Guarded("read", [&] {
    if (!graph->run) return Wrong("read", graph->state, "init() comes first");
    const std::vector<PortNode*> sources = Sources(port);
    if (sources.empty()) Fail("the port is connected to no parameter");
    PortNode* source = sources.front();
    if (source->kind != Kind::kParameter || source->dir != inout || source->parameter == nullptr) {
      Fail(fmt::format("{} is no inout parameter of this graph", source->Name()));
    }
    CheckElements(*source, type, count, "were asked for; the whole array is read");
    Parameter& parameter = *source->parameter;
    if (source->sync) {
      const auto written = [&] { return parameter.updates > parameter.consumed; };
      if (TheEngine().RunUntil(written) != Outcome::kDone) return Stuck("read", *graph->run);
      ++parameter.consumed;
    }
    std::memcpy(data, parameter.value.data(), parameter.value.size());
    return return_code::ok;
  });
}

}  // namespace detail

using detail::GraphNode;
using detail::Guarded;
using detail::NoWait;
using detail::Refuse;
using detail::Wrong;
using tessera::graph::Outcome;
using tessera::graph::TheEngine;
using State = GraphNode::State;

graph::graph() : node_(std::make_shared<GraphNode>()) {
  tessera::graph::KeepEngine();
  detail::KeepProfiling();
  detail::Program& program = detail::TheProgram();
  node_->self = this;
  node_->number = program.graphs.size();
  program.graphs.push_back(node_);
}

graph::~graph() {
  node_->run.reset();
  node_->self = nullptr;
  // What it joined to edges outside of it, which other graphs may be joined to.
  const auto ours = [&](const detail::PortNode* port) {
    const bool edge = std::ranges::find(node_->edges, port->owner) != node_->edges.end();
    const auto of = [&](const auto& held) { return held.get() == port->owner; };
    return std::ranges::any_of(node_->ports,
                               [&](const auto& held) { return held.get() == port; }) ||
           (!edge && std::ranges::any_of(node_->nodes, of));
  };
  std::erase_if(detail::TheProgram().nets,
                [&](const auto& net) { return ours(net->from) || ours(net->to); });
}

return_code graph::init() {
  return Guarded("init", [&] {
    GraphNode& g = *node_;
    if (g.state != State::kBuilt && g.state != State::kEnded) {
      return Wrong("init", g.state, "end() comes before another init()");
    }
    g.run = std::make_shared<detail::Run>(&g);
    g.state = State::kReady;
    return return_code::ok;
  });
}

return_code graph::run() { return run(-1); }

return_code graph::run(int iterations) {
  return Guarded("run", [&] {
    GraphNode& g = *node_;
    if (g.state == State::kPaused) {
      return Wrong("run", g.state, "resume() or end() comes after wait(cycles)");
    }
    if (g.state == State::kBuilt || g.state == State::kEnded) {
      return Wrong("run", g.state, "init() comes first");
    }
    if (g.state == State::kRunning && !g.run->kernels.empty() && !g.run->finished()) {
      return Wrong("run", g.state, "wait() comes before the next run");
    }
    if (iterations == 0 || iterations < -1) {
      return Refuse(
          return_code::user_error,
          fmt::format("run: {} iterations; legal are 1 or more, and -1 for ever", iterations));
    }
    g.run->Allow(iterations < 0 ? detail::kForever : static_cast<uint64_t>(iterations));
    g.state = State::kRunning;
    return return_code::ok;
  });
}

return_code graph::wait() {
  return Guarded("wait", [&] {
    GraphNode& g = *node_;
    if (g.state != State::kRunning) return NoWait("wait", g.state);
    const Outcome outcome = TheEngine().RunUntil([&] { return g.run->finished(); });
    // What kernels have sent to external buffers is written, unless it waits for the next run.
    if (outcome == Outcome::kDone) TheEngine().RunUntil([&] { return g.run->settled(); });
    // A graph without kernels has done its work when nothing moves.
    if (outcome == Outcome::kDone || g.run->kernels.empty()) return return_code::ok;
    return detail::Stuck("wait", *g.run);
  });
}

return_code graph::wait(unsigned long long cycles) {
  return Guarded("wait", [&] {
    GraphNode& g = *node_;
    if (g.state != State::kRunning) return NoWait("wait(cycles)", g.state);
    TheEngine().RunUntil([&] { return g.run->finished(); }, cycles);
    g.run->Pause(true);
    g.state = State::kPaused;
    return return_code::ok;
  });
}

return_code graph::resume() {
  GraphNode& g = *node_;
  if (g.state != State::kPaused) {
    return Wrong("resume", g.state, "it resumes what wait(cycles) has paused");
  }
  g.run->Pause(false);
  g.state = State::kRunning;
  return return_code::ok;
}

return_code graph::end() { return end(0); }

return_code graph::end(unsigned long long cycles) {
  GraphNode& g = *node_;
  const return_code code = Guarded("end", [&] {
    if (!g.run) return Wrong("end", g.state, "init() comes first");
    g.run->Pause(false);
    const bool forever = g.run->kernels.empty() || g.run->kernels[0]->allowed == detail::kForever;
    const uint64_t limit = cycles == 0 ? detail::kForever : cycles;
    const Outcome outcome = TheEngine().RunUntil([&] { return g.run->finished(); }, limit);
    if (outcome == Outcome::kTimeout) g.run->Pause(true);
    return_code result = return_code::ok;
    if (outcome == Outcome::kStuck && !forever) result = detail::Stuck("end", *g.run);
    // What is on its way to files arrives, whatever time it takes.
    for (const bool flush : {false, true}) {
      g.run->Collect(flush);
      TheEngine().RunUntil([&] { return g.run->Drained(flush); },
                           outcome == Outcome::kDone || flush ? detail::kForever : 1);
    }
    g.run->Collect(false);
    g.run->WriteFiles();
    TheEngine().WriteTimeline();
    return result;
  });
  g.run.reset();
  if (g.state != State::kBuilt) g.state = State::kEnded;
  return code;
}

std::string lowering(const graph& g) { return g.node()->run ? g.node()->run->Lowering() : ""; }
std::string drawing(const graph& g) { return g.node()->run ? g.node()->run->Drawing() : ""; }
std::string placement(const graph& g) {
  return g.node()->run ? g.node()->run->placement().Text() : "";
}
std::string placement_drawing(const graph& g) {
  return g.node()->run ? g.node()->run->placement().Drawing() : "";
}
std::string pblocks(const graph& g) {
  return g.node()->run ? g.node()->run->placement().Pblocks() : "";
}

}  // namespace adf
