// What is known of a transfer, together, and as text or JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "tools/show/advice.h"
#include "tools/show/analysis.h"
#include "tools/show/table.h"

namespace tessera::show {

struct Report {
  std::string name;  // of the transfer, as its author calls it
  Analysis analysis;
  std::vector<Note> notes;
  std::vector<Advice> advice;
  Table table;
};

struct ReportOptions {
  std::vector<uint32_t> latencies{1, 20, 100};
  uint64_t table_rows = 16;
};

Report MakeReport(const std::string& name, const Subject& subject, const ReportOptions& options);

std::string ReportText(const Report& report);
nlohmann::ordered_json ReportJson(const Report& report);

}  // namespace tessera::show
