// The emulated processor on Unicorn.
#include "tb/board/processor.h"

#include <elf.h>
#include <fmt/format.h>
#include <unicorn/unicorn.h>

#include <bit>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace tessera::firmware {
namespace {

constexpr uint64_t kReturn =
    Processor::kRam + Processor::kRamBytes - 4096;  // where a call comes back to
constexpr uint64_t kStack = kReturn - 4096;

void Need(uc_err error, const char* what) {
  if (error != UC_ERR_OK) throw std::runtime_error(fmt::format("{}: {}", what, uc_strerror(error)));
}

// Copies sections into RAM and gathers the functions and objects, of an ELF of 32 or 64 bits.
template <typename Header, typename Section, typename Symbol>
void LoadElf(const std::vector<uint8_t>& file, uint8_t* ram,
             std::map<std::string, uint64_t>& symbols) {
  const auto at = [&](uint64_t offset, auto& to) {
    if (offset + sizeof(to) > file.size()) throw std::runtime_error("the program is cut short");
    std::memcpy(&to, file.data() + offset, sizeof(to));
  };
  Header header;
  at(0, header);
  for (unsigned n = 0; n < header.e_shnum; ++n) {
    Section section, names;
    at(header.e_shoff + n * sizeof(Section), section);
    // What begins as zeros is zeros already.
    if (section.sh_type == SHT_PROGBITS && (section.sh_flags & SHF_ALLOC) != 0) {
      const uint64_t offset = section.sh_addr - Processor::kRam;
      if (section.sh_addr < Processor::kRam || offset + section.sh_size > Processor::kRamBytes ||
          section.sh_offset + section.sh_size > file.size()) {
        throw std::runtime_error("the program does not fit into memory");
      }
      std::memcpy(ram + offset, file.data() + section.sh_offset, section.sh_size);
    }
    if (section.sh_type != SHT_SYMTAB) continue;
    at(header.e_shoff + section.sh_link * sizeof(Section), names);
    for (uint64_t k = 0; k < section.sh_size / sizeof(Symbol); ++k) {
      Symbol symbol;
      at(section.sh_offset + k * sizeof(Symbol), symbol);
      if (symbol.st_name == 0) continue;
      symbols[reinterpret_cast<const char*>(file.data() + names.sh_offset + symbol.st_name)] =
          symbol.st_value;
    }
  }
}

}  // namespace

struct Processor::Hooks {
  static uint64_t Read(uc_engine* engine, uint64_t offset, unsigned size, void* user) {
    auto& self = *static_cast<Processor*>(user);
    ++self.cost_.reads;
    uint32_t value = 0;
    self.device_.Step();
    if (size != 4 || !self.device_.Read32(static_cast<uint32_t>(offset), value))
      Fault(engine, self);
    Ask(self);
    return value;
  }
  static void Write(uc_engine* engine, uint64_t offset, unsigned size, uint64_t value, void* user) {
    auto& self = *static_cast<Processor*>(user);
    ++self.cost_.writes;
    self.device_.Step();
    if (size != 4 ||
        !self.device_.Write32(static_cast<uint32_t>(offset), static_cast<uint32_t>(value))) {
      Fault(engine, self);
    }
    Ask(self);
  }
  // An interrupt is taken before the next instruction: a processor that is stopped within an access
  // would make the access twice.
  static void Ask(Processor& self) {
    if (self.cache_ != nullptr) self.cache_->Pass();
    self.asked_ = self.handler_ != 0 && !self.handling_ && self.device_.interrupt();
  }
  static void Fault(uc_engine* engine, Processor& self) {
    self.faulted_ = true;
    uc_emu_stop(engine);
  }
  static void Instruction(uc_engine* engine, uint64_t address, uint32_t size, void* user) {
    auto& self = *static_cast<Processor*>(user);
    ++self.cost_.instructions;
    if (self.interrupt_at_ != 0 && self.cost_.instructions >= self.interrupt_at_ &&
        self.conditional_ == 0) {
      self.interrupt_at_ = 0;
      self.before_();
      self.asked_ = true;
    }
    if (self.asked_ && self.conditional_ == 0) {
      --self.cost_.instructions;  // it is executed afterwards
      self.asked_ = false;
      self.pending_ = true;
      uc_emu_stop(engine);
      return;
    }
    if (self.architecture_ == Architecture::kCortexR5) self.CountConditional(address, size);
    // The emulated RISC-V does not know the instructions: they are stepped over.
    if (self.MaintainCache(address, size) && self.architecture_ == Architecture::kRiscv64) {
      self.next_ = address + 4;
      uc_emu_stop(engine);
    }
  }
};

Processor::Processor(Architecture architecture, const std::string& elf, Device& device)
    : architecture_(architecture),
      device_(device),
      ram_(static_cast<uint8_t*>(std::aligned_alloc(4096, kRamBytes)), std::free) {
  switch (architecture) {
    case Architecture::kAarch64:
      Need(uc_open(UC_ARCH_ARM64, UC_MODE_ARM, &engine_), "processor");
      Need(uc_ctl_set_cpu_model(engine_, UC_CPU_ARM64_A72), "Cortex-A72");
      break;
    case Architecture::kCortexR5:
      Need(uc_open(UC_ARCH_ARM, UC_MODE_THUMB, &engine_), "processor");
      Need(uc_ctl_set_cpu_model(engine_, UC_CPU_ARM_CORTEX_R5), "Cortex-R5");
      break;
    case Architecture::kRiscv64:
      Need(uc_open(UC_ARCH_RISCV, UC_MODE_RISCV64, &engine_), "processor");
      break;
  }
  std::memset(ram_.get(), 0, kRamBytes);
  Load(elf);
  Need(uc_mem_map_ptr(engine_, kRam, kRamBytes, UC_PROT_ALL, ram_.get()), "memory");
  Need(uc_mmio_map(engine_, kRegisters, 0x40000, Hooks::Read, this, Hooks::Write, this),
       "registers");
  uc_hook hook = 0;
  Need(uc_hook_add(engine_, &hook, UC_HOOK_CODE, reinterpret_cast<void*>(&Hooks::Instruction), this,
                   1, 0),
       "counter");
}

// True if the instruction is one of the cache.
bool Processor::MaintainCache(uint64_t address, uint32_t size) {
  const CacheInstruction found =
      DecodeCacheInstruction(architecture_, ram_.get() + (address - kRam), size);
  if (found.operation == CacheOperation::kNone) return false;
  const int n = static_cast<int>(found.address_register);
  const int id = architecture_ == Architecture::kRiscv64 ? UC_RISCV_REG_X0 + n
                 : architecture_ == Architecture::kCortexR5
                     ? (n == 14 ? UC_ARM_REG_LR : UC_ARM_REG_R0 + n)
                 : n < 29 ? UC_ARM64_REG_X0 + n
                          : UC_ARM64_REG_X29 + n - 29;
  uint64_t at = 0;
  uc_reg_read(engine_, id, &at);
  if (cache_ != nullptr && at >= kRam) cache_->Maintain(found.operation, at - kRam);
  return true;
}

// The instructions after a Thumb IT belong to it: nothing comes between them.
void Processor::CountConditional(uint64_t address, uint32_t size) {
  if (conditional_ > 0) --conditional_;
  if (size != 2) return;
  const uint8_t* code = ram_.get() + (address - kRam);
  const uint32_t mask = code[0] & 15u;
  if (code[1] == 0xbf && mask != 0) conditional_ = 4 - std::countr_zero(mask);
}

Processor::~Processor() { uc_close(engine_); }

void Processor::Load(const std::string& elf) {
  std::ifstream stream(elf, std::ios::binary);
  if (!stream) throw std::runtime_error(fmt::format("no program '{}'", elf));
  const std::vector<uint8_t> file((std::istreambuf_iterator<char>(stream)),
                                  std::istreambuf_iterator<char>());
  if (file.size() < EI_NIDENT) throw std::runtime_error("the program is cut short");
  if (file[EI_CLASS] == ELFCLASS64) {
    LoadElf<Elf64_Ehdr, Elf64_Shdr, Elf64_Sym>(file, ram_.get(), symbols_);
  } else {
    LoadElf<Elf32_Ehdr, Elf32_Shdr, Elf32_Sym>(file, ram_.get(), symbols_);
  }
}

namespace {

// Registers of arguments, then stack, return address, program counter.
constexpr int kArm64[] = {UC_ARM64_REG_X0, UC_ARM64_REG_X1,  UC_ARM64_REG_X2, UC_ARM64_REG_X3,
                          UC_ARM64_REG_SP, UC_ARM64_REG_X30, UC_ARM64_REG_PC};
constexpr int kArm[] = {UC_ARM_REG_R0, UC_ARM_REG_R1, UC_ARM_REG_R2, UC_ARM_REG_R3,
                        UC_ARM_REG_SP, UC_ARM_REG_LR, UC_ARM_REG_PC};
constexpr int kRiscv[] = {UC_RISCV_REG_A0, UC_RISCV_REG_A1, UC_RISCV_REG_A2, UC_RISCV_REG_A3,
                          UC_RISCV_REG_SP, UC_RISCV_REG_RA, UC_RISCV_REG_PC};
constexpr int kSp = 4, kLr = 5, kPc = 6;

const int* RegistersOf(Architecture architecture) {
  return architecture == Architecture::kAarch64    ? kArm64
         : architecture == Architecture::kCortexR5 ? kArm
                                                   : kRiscv;
}

}  // namespace

int Processor::Run(uint64_t at, uint64_t limit) {
  for (;;) {
    next_ = 0;
    const uc_err error = uc_emu_start(engine_, at | Thumb(), kReturn, 0, limit);
    if (error != UC_ERR_OK || next_ == 0) return error;
    at = next_;
  }
}

uint32_t Processor::Call(const std::string& function, const std::vector<uint64_t>& arguments,
                         uint64_t limit) {
  const int* registers = RegistersOf(architecture_);
  for (size_t n = 0; n < arguments.size(); ++n)
    Need(uc_reg_write(engine_, registers[n], &arguments[n]), "argument");
  const uint64_t back = kReturn | Thumb(), stack = kStack;
  Need(uc_reg_write(engine_, registers[kSp], &stack), "stack");
  Need(uc_reg_write(engine_, registers[kLr], &back), "return address");
  cost_ = {};
  faulted_ = false;
  asked_ = false;
  conditional_ = 0;
  uint64_t at = symbols_.at(function);
  do {
    pending_ = false;
    const auto error = static_cast<uc_err>(Run(at, limit));
    uc_reg_read(engine_, registers[kPc], &at);
    if (error != UC_ERR_OK)
      throw std::runtime_error(fmt::format("{}: {} at {:#x}", function, uc_strerror(error), at));
    if (faulted_)
      throw std::runtime_error(fmt::format("{}: an access was answered with an error", function));
    at &= ~uint64_t{1};
    if (pending_ && at != kReturn) Interrupt(limit);
  } while (pending_ && at != kReturn && cost_.instructions < limit);
  if (at != kReturn) throw std::runtime_error(fmt::format("{} did not come back", function));
  uint64_t result = 0;
  uc_reg_read(engine_, registers[0], &result);
  return static_cast<uint32_t>(result);
}

// Runs the handler below the stack of the program, which goes on as if nothing had been.
void Processor::Interrupt(uint64_t limit) {
  const int* registers = RegistersOf(architecture_);
  uc_context* context = nullptr;
  Need(uc_context_alloc(engine_, &context), "context");
  Need(uc_context_save(engine_, context), "context");
  uint64_t stack = 0;
  uc_reg_read(engine_, registers[kSp], &stack);
  stack = (stack - 256) & ~uint64_t{15};
  const uint64_t back = kReturn | Thumb();
  Need(uc_reg_write(engine_, registers[kSp], &stack), "stack");
  Need(uc_reg_write(engine_, registers[kLr], &back), "return address");
  handling_ = true;
  ++interrupts_;
  const int error = Run(handler_, limit);
  handling_ = false;
  Need(uc_context_restore(engine_, context), "context");
  uc_context_free(context);
  if (error != UC_ERR_OK || faulted_) throw std::runtime_error("the handler failed");
}

}  // namespace tessera::firmware
