// See registers.h.
#include "lib/aieml/registers.h"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "lib/aieml/fields.h"

namespace tessera::aieml {
namespace {

using Fields = std::span<const Field>;

// Lines of a table, added group by group.
class Table {
 public:
  void One(std::string_view name, uint32_t at, Fields fields, Home home,
           std::string_view note = {}) {
    lines_.push_back({name, at, 4, 1, fields, home, note});
  }
  void Many(std::string_view name, uint32_t first, uint32_t pitch, uint32_t count, Fields fields,
            Home home, std::string_view note = {}) {
    lines_.push_back({name, first, pitch, count, fields, home, note});
  }
  // Ports of a switch: masters, slaves and four slots for each slave.
  void Masters(std::string_view name, uint32_t first, uint32_t count) {
    Many(name, first, 4, count, kMasterPort, Home::kSwitch);
  }
  void Slaves(std::string_view name, std::string_view slots, uint32_t first, uint32_t count,
              uint32_t first_slot) {
    Many(name, first, 4, count, kSlavePort, Home::kSwitch);
    Many(slots, first_slot, 4, 4 * count, kSlot, Home::kSwitch, "slot 4 p + s is slot s of port p");
  }
  std::vector<Register> Take() { return std::move(lines_); }

 private:
  std::vector<Register> lines_;
};

void Channels(Table* table, uint32_t count, const std::array<uint32_t, 8>& at, bool shim) {
  const Fields write_control = shim ? Fields(kShimS2mmControl) : Fields(kS2mmControl);
  const Fields read_control = shim ? Fields(kShimMm2sControl) : Fields(kMm2sControl);
  const Fields queue = count == 6 ? Fields(kMemoryQueue) : Fields(kQueue);
  const Fields status = count == 6 ? Fields(kMemoryStatus)
                        : shim     ? Fields(kShimStatus)
                                   : Fields(kStatus);
  table->Many("DMA_S2MM_{}_Ctrl", at[0], 8, count, write_control, Home::kDma);
  table->Many("DMA_S2MM_{}_Start_Queue", at[0] + 4, 8, count, queue, Home::kDma);
  table->Many("DMA_MM2S_{}_Ctrl", at[1], 8, count, read_control, Home::kDma);
  table->Many("DMA_MM2S_{}_Start_Queue", at[1] + 4, 8, count, queue, Home::kDma);
  table->Many("DMA_S2MM_Status_{}", at[2], 4, count, status, Home::kDma);
  table->Many("DMA_MM2S_Status_{}", at[3], 4, count, status, Home::kDma);
  table->Many("DMA_S2MM_Current_Write_Count_{}", at[4], 4, count, kWriteCount, Home::kDma);
  table->Many("DMA_S2MM_FoT_Count_FIFO_Pop_{}", at[5], 4, count, kCountFifo, Home::kDma);
}

void Locks(Table* table, uint32_t locks, uint32_t base, uint32_t request, uint32_t selectors,
           uint32_t words) {
  table->Many("Lock{}_Value", base, 0x10, locks, kLockValue, Home::kDma);
  const uint32_t at = base + (locks == 64 ? 0x400u : 0x100u);
  table->Many("Locks_Event_Selection_{}", at, 4, selectors, {}, Home::kRemembered,
              "a lock and the value that it is compared with");
  table->Many("Locks_Overflow_{}", at + 0x20, 4, words, {}, Home::kDma,
              "a bit a lock, write 1 to clear");
  table->Many("Locks_Underflow_{}", at + 0x28, 4, words, {}, Home::kDma,
              "a bit a lock, write 1 to clear");
  table->Many("Lock_Request_{}", request, 4, locks * 256, kLockRequest, Home::kDma,
              "number = lock * 256 + acquire * 128 + value; a read performs the request");
}

void Counters(Table* table, uint32_t base, uint32_t count, Fields control, uint32_t words) {
  const Fields reset = words == 1 ? Fields(kCounterResets7) : Fields(kCounterResets8);
  table->Many("Performance_Control_{}", base, 4, words, control, Home::kEvents);
  table->One("Performance_Control_Reset", base + 8, reset, Home::kEvents);
  table->Many("Performance_Counter_{}", base + 0x20, 4, count, {}, Home::kEvents);
  table->Many("Performance_Counter_{}_Event_Value", base + 0x80, 4, count, {}, Home::kEvents);
}

void CoreCounters(Table* table) {
  table->Many("Core_Performance_Control_{}", 0x31500, 4, 2, kCoreCounters, Home::kEvents);
  table->One("Core_Performance_Control_Reset", 0x31508, kCoreCounterResets, Home::kEvents);
  table->Many("Core_Performance_Counter_{}", 0x31520, 4, 4, {}, Home::kEvents);
  table->Many("Core_Performance_Counter_{}_Event_Value", 0x31580, 4, 4, {}, Home::kEvents);
}

// Timer and event status, of the core module with a name of its own.
void Timer(Table* table, uint32_t base, bool core, Fields control, uint32_t words) {
  constexpr std::string_view kNames[][2] = {
      {"Timer_Control", "Core_Timer_Control"},
      {"Event_Generate", "Core_Event_Generate"},
      {"Timer_Trig_Event_Low_Value", "Core_Timer_Trig_Event_Low_Value"},
      {"Timer_Trig_Event_High_Value", "Core_Timer_Trig_Event_High_Value"},
      {"Timer_Low", "Core_Timer_Low"},
      {"Timer_High", "Core_Timer_High"},
      {"Event_Status{}", "Core_Event_Status{}"}};
  const uint32_t n = core ? 1 : 0;
  table->One(kNames[0][n], base, control, Home::kEvents);
  table->One(kNames[1][n], base + 0x8, {}, Home::kEvents, "the number of an event");
  table->One(kNames[2][n], base + 0xf0, {}, Home::kEvents);
  table->One(kNames[3][n], base + 0xf4, {}, Home::kEvents);
  table->One(kNames[4][n], base + 0xf8, {}, Home::kEvents);
  table->One(kNames[5][n], base + 0xfc, {}, Home::kEvents);
  table->Many(kNames[6][n], base + 0x200, 4, words, {}, Home::kEvents,
              "a bit an event, write 1 to clear");
}

std::vector<Register> Shim() {
  Table t;
  static constexpr std::string_view kNames[] = {"DMA_BD{}_0", "DMA_BD{}_1", "DMA_BD{}_2",
                                                "DMA_BD{}_3", "DMA_BD{}_4", "DMA_BD{}_5",
                                                "DMA_BD{}_6", "DMA_BD{}_7"};
  Locks(&t, 16, 0x14000, 0x40000, 6, 1);
  for (uint32_t w = 0; w < 8; ++w)
    t.Many(kNames[w], 0x1d000 + 4 * w, 0x20, 16, kShimBd[w], Home::kDma);
  Channels(&t, 2, {0x1d200, 0x1d210, 0x1d220, 0x1d228, 0x1d230, 0x1d238}, true);
  t.One("Mux_Config", 0x1f000, kMux, Home::kSwitch);
  t.One("Demux_Config", 0x1f004, kDemux, Home::kSwitch);
  Counters(&t, 0x31000, 2, kCounters7, 1);
  Timer(&t, 0x34000, false, kTimer7, 4);
  t.One("Tile_Control", 0x36030, kIsolation, Home::kControl);
  t.Masters("Stream_Switch_Master_Tile_Ctrl", 0x3f000, 1);
  t.Masters("Stream_Switch_Master_FIFO{}", 0x3f004, 1);
  t.Masters("Stream_Switch_Master_South{}", 0x3f008, 6);
  t.Masters("Stream_Switch_Master_West{}", 0x3f020, 4);
  t.Masters("Stream_Switch_Master_North{}", 0x3f030, 6);
  t.Masters("Stream_Switch_Master_East{}", 0x3f048, 4);
  t.Slaves("Stream_Switch_Slave_Tile_Ctrl", "Stream_Switch_Slave_Tile_Ctrl_Slot{}", 0x3f100, 1,
           0x3f200);
  t.Slaves("Stream_Switch_Slave_FIFO{}", "Stream_Switch_Slave_FIFO_Slot{}", 0x3f104, 1, 0x3f210);
  t.Slaves("Stream_Switch_Slave_South{}", "Stream_Switch_Slave_South_Slot{}", 0x3f108, 8, 0x3f220);
  t.Slaves("Stream_Switch_Slave_West{}", "Stream_Switch_Slave_West_Slot{}", 0x3f128, 4, 0x3f2a0);
  t.Slaves("Stream_Switch_Slave_North{}", "Stream_Switch_Slave_North_Slot{}", 0x3f138, 4, 0x3f2e0);
  t.Slaves("Stream_Switch_Slave_East{}", "Stream_Switch_Slave_East_Slot{}", 0x3f148, 4, 0x3f320);
  t.Slaves("Stream_Switch_Slave_Trace{}", "Stream_Switch_Slave_Trace_Slot{}", 0x3f158, 2, 0x3f360);
  t.Many("Stream_Switch_Event_Port_Selection_{}", 0x3ff00, 4, 2, kPorts, Home::kEvents);
  t.One("Control_Packet_Handler_Status", 0x3ff30, kControlStatus, Home::kControl);
  t.One("Module_Clock_Control_0", 0xfff00, kShimClock0, Home::kControl);
  t.One("Module_Clock_Control_1", 0xfff04, kShimClock1, Home::kControl);
  t.One("Module_Reset_Control_0", 0xfff10, kShimReset0, Home::kControl);
  t.One("Module_Reset_Control_1", 0xfff14, kShimReset1, Home::kControl);
  t.One("Column_Clock_Control", 0xfff20, kColumnClock, Home::kControl, "of the tiles above");
  t.One("Column_Reset_Control", 0xfff28, kColumnReset, Home::kControl, "of the tiles above");
  return t.Take();
}

std::vector<Register> Memory() {
  Table t;
  static constexpr std::string_view kNames[] = {"DMA_BD{}_0", "DMA_BD{}_1", "DMA_BD{}_2",
                                                "DMA_BD{}_3", "DMA_BD{}_4", "DMA_BD{}_5",
                                                "DMA_BD{}_6", "DMA_BD{}_7"};
  t.Many("Data_Memory_{}", 0, 4, 0x20000, {}, Home::kMemory);
  Counters(&t, 0x91000, 4, kCounters8, 2);
  Timer(&t, 0x94000, false, kTimer8, 6);
  t.One("Tile_Control", 0x96030, kIsolation, Home::kControl);
  t.One("Memory_Control", 0x96048, kMemoryControl, Home::kControl);
  for (uint32_t w = 0; w < 8; ++w)
    t.Many(kNames[w], 0xa0000 + 4 * w, 0x20, 48, kMemoryBd[w], Home::kDma);
  Channels(&t, 6, {0xa0600, 0xa0630, 0xa0660, 0xa0680, 0xa06b0, 0xa06c8}, false);
  t.One("DMA_Event_Channel_Selection", 0xa06a0, kEventChannels, Home::kEvents);
  t.Masters("Stream_Switch_Master_DMA{}", 0xb0000, 6);
  t.Masters("Stream_Switch_Master_Tile_Ctrl", 0xb0018, 1);
  t.Masters("Stream_Switch_Master_South{}", 0xb001c, 4);
  t.Masters("Stream_Switch_Master_North{}", 0xb002c, 6);
  t.Slaves("Stream_Switch_Slave_DMA{}", "Stream_Switch_Slave_DMA_Slot{}", 0xb0100, 6, 0xb0200);
  t.Slaves("Stream_Switch_Slave_Tile_Ctrl", "Stream_Switch_Slave_Tile_Ctrl_Slot{}", 0xb0118, 1,
           0xb0260);
  t.Slaves("Stream_Switch_Slave_South{}", "Stream_Switch_Slave_South_Slot{}", 0xb011c, 6, 0xb0270);
  t.Slaves("Stream_Switch_Slave_North{}", "Stream_Switch_Slave_North_Slot{}", 0xb0134, 4, 0xb02d0);
  t.Slaves("Stream_Switch_Slave_Trace", "Stream_Switch_Slave_Trace_Slot{}", 0xb0144, 1, 0xb0310);
  t.Many("Stream_Switch_Event_Port_Selection_{}", 0xb0f00, 4, 2, kPorts, Home::kEvents);
  t.One("Control_Packet_Handler_Status", 0xb0f30, kControlStatus, Home::kControl);
  Locks(&t, 64, 0xc0000, 0xd0000, 8, 2);
  t.One("Module_Clock_Control", 0xfff00, kMemoryClock, Home::kControl);
  t.One("Module_Reset_Control", 0xfff10, kModuleReset, Home::kControl);
  return t.Take();
}

std::vector<Register> Compute() {
  Table t;
  static constexpr std::string_view kNames[] = {"DMA_BD{}_0", "DMA_BD{}_1", "DMA_BD{}_2",
                                                "DMA_BD{}_3", "DMA_BD{}_4", "DMA_BD{}_5"};
  t.Many("Data_Memory_{}", 0, 4, 0x4000, {}, Home::kMemory);
  Counters(&t, 0x11000, 2, kCounters7, 1);
  Timer(&t, 0x14000, false, kTimer7, 4);
  t.One("Memory_Control", 0x16010, kZeroisation, Home::kControl);
  for (uint32_t w = 0; w < 6; ++w)
    t.Many(kNames[w], 0x1d000 + 4 * w, 0x20, 16, kComputeBd[w], Home::kDma);
  Channels(&t, 2, {0x1de00, 0x1de10, 0x1df00, 0x1df10, 0x1df18, 0x1df20}, false);
  Locks(&t, 16, 0x1f000, 0x40000, 8, 1);
  t.Many("Program_Memory_{}", 0x20000, 4, 0x1000, {}, Home::kRemembered);
  CoreCounters(&t);
  Timer(&t, 0x34000, true, kTimer7, 4);
  t.One("Tile_Control", 0x36030, kIsolation, Home::kControl);
  t.One("Core_Memory_Control", 0x36070, kMemoryControl, Home::kControl, "of the program memory");
  t.Masters("Stream_Switch_Master_Core{}", 0x3f000, 1);
  t.Masters("Stream_Switch_Master_DMA{}", 0x3f004, 2);
  t.Masters("Stream_Switch_Master_Tile_Ctrl", 0x3f00c, 1);
  t.Masters("Stream_Switch_Master_FIFO{}", 0x3f010, 1);
  t.Masters("Stream_Switch_Master_South{}", 0x3f014, 4);
  t.Masters("Stream_Switch_Master_West{}", 0x3f024, 4);
  t.Masters("Stream_Switch_Master_North{}", 0x3f034, 6);
  t.Masters("Stream_Switch_Master_East{}", 0x3f04c, 4);
  t.Slaves("Stream_Switch_Slave_Core{}", "Stream_Switch_Slave_Core_Slot{}", 0x3f100, 1, 0x3f200);
  t.Slaves("Stream_Switch_Slave_DMA{}", "Stream_Switch_Slave_DMA_Slot{}", 0x3f104, 2, 0x3f210);
  t.Slaves("Stream_Switch_Slave_Tile_Ctrl", "Stream_Switch_Slave_Tile_Ctrl_Slot{}", 0x3f10c, 1,
           0x3f230);
  t.Slaves("Stream_Switch_Slave_FIFO{}", "Stream_Switch_Slave_FIFO_Slot{}", 0x3f110, 1, 0x3f240);
  t.Slaves("Stream_Switch_Slave_South{}", "Stream_Switch_Slave_South_Slot{}", 0x3f114, 6, 0x3f250);
  t.Slaves("Stream_Switch_Slave_West{}", "Stream_Switch_Slave_West_Slot{}", 0x3f12c, 4, 0x3f2b0);
  t.Slaves("Stream_Switch_Slave_North{}", "Stream_Switch_Slave_North_Slot{}", 0x3f13c, 4, 0x3f2f0);
  t.Slaves("Stream_Switch_Slave_East{}", "Stream_Switch_Slave_East_Slot{}", 0x3f14c, 4, 0x3f330);
  t.Slaves("Stream_Switch_Slave_Trace{}", "Stream_Switch_Slave_Trace_Slot{}", 0x3f15c, 2, 0x3f370);
  t.Many("Stream_Switch_Event_Port_Selection_{}", 0x3ff00, 4, 2, kPorts, Home::kEvents);
  t.One("Control_Packet_Handler_Status", 0x3ff30, kControlStatus, Home::kControl);
  t.One("Module_Clock_Control", 0x60000, kComputeClock, Home::kControl);
  t.One("Module_Reset_Control", 0x60010, kModuleReset, Home::kControl);
  return t.Take();
}

}  // namespace

std::string_view NameOf(TileKind kind) {
  return kind == TileKind::kShim     ? "shim"
         : kind == TileKind::kMemory ? "memory tile"
                                     : "compute tile";
}

std::span<const Register> RegistersOf(TileKind kind) {
  static const std::vector<Register> shim = Shim(), memory = Memory(), compute = Compute();
  return kind == TileKind::kShim ? shim : kind == TileKind::kMemory ? memory : compute;
}

std::string Found::name() const { return fmt::format(fmt::runtime(entry->name), number); }

std::optional<Found> Find(TileKind kind, uint32_t offset) {
  for (const Register& entry : RegistersOf(kind)) {
    if (offset < entry.first) continue;
    const uint32_t from = offset - entry.first;
    if (from % entry.pitch == 0 && from / entry.pitch < entry.count) {
      return Found{&entry, from / entry.pitch};
    }
  }
  return std::nullopt;
}

std::string Decode(const Register& entry, uint32_t word) {
  std::string text;
  for (const Field& field : entry.fields) {
    const uint32_t value = field.Of(word);
    if (value == 0) continue;
    if (!text.empty()) text += ", ";
    switch (field.form) {
      case Form::kPlain:
        text += fmt::format("{}={}", field.name, value);
        break;
      case Form::kHex:
        text += fmt::format("{}={:#x}", field.name, value);
        break;
      case Form::kOneLess:
        text += fmt::format("{}={}", field.name, uint64_t{value} + 1);
        break;
      case Form::kSigned7:
        text += fmt::format("{}={}", field.name, static_cast<int32_t>(value << 25) >> 25);
        break;
    }
  }
  return text;
}

}  // namespace tessera::aieml
