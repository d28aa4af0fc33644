// Graphs in a graph: a stage is a graph with a kernel of a class, and a chain has three of them.
#include "example.h"

using namespace adf;

// A kernel with a state of its own.
class Smooth {
 public:
  explicit Smooth(int weight) : weight_(weight) {}
  void run(input_buffer<int32>& in, output_buffer<int32>& out) {
    for (size_t n = 0; n < in.size(); ++n) {
      state_ += (in[n] - state_) * weight_ / 16;
      out[n] = state_;
    }
  }

 private:
  int weight_;
  int32 state_ = 0;
};

class Stage : public graph {
 public:
  input_port in;
  output_port out;
  explicit Stage(int weight) {
    k_ = kernel::create_object<Smooth>(weight);
    dimensions(k_.in[0]) = {32};
    dimensions(k_.out[0]) = {32};
    connect(in, k_.in[0]);
    connect(k_.out[0], out);
  }

 private:
  kernel k_;
};

class Chain : public graph {
 public:
  input_port in;
  output_port out;
  Chain() {
    connect(in, stages_[0].in);
    connect(stages_[0].out, stages_[1].in);
    connect(stages_[1].out, stages_[2].in);
    connect(stages_[2].out, out);
  }

 private:
  Stage stages_[3] = {Stage(4), Stage(8), Stage(12)};
};

Chain chain;
simulation::platform<1, 1> platform("input.txt", "output.txt");
connect<> net0(platform.src[0], chain.in);
connect<> net1(chain.out, platform.sink[0]);

int main() {
  std::vector<int32> numbers(128);
  for (size_t n = 0; n < numbers.size(); ++n) numbers[n] = n % 20 < 10 ? 1600 : -800;
  example::Write("input.txt", numbers);
  if (chain.init() != return_code::ok) return 1;
  chain.run(4);
  if (chain.end() != return_code::ok) return 1;
  std::vector<int32> expected;
  int32 state[3] = {};
  for (const int32 number : numbers) {
    int32 value = number;
    for (int s = 0; s < 3; ++s) value = state[s] += (value - state[s]) * (4 + 4 * s) / 16;
    expected.push_back(value);
  }
  return example::Compare(example::Read<int32>("output.txt"), expected);
}
