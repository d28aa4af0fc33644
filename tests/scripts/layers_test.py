#!/usr/bin/env python3
"""scripts/lint layers: uses that the place of a source does not allow are told of, others are not."""

import sys

from checks import ROOT, Checks

sys.path.insert(0, str(ROOT / "scripts/lib"))
import layers  # noqa: E402
import repo  # noqa: E402

# A path, what is written into it, what it is told.
CPP = [
    ("tools/gen/spec.cpp", '#include "tools/mover4d/rom.h"', "the core may not use tools/mover4d/rom.h of mover4d"),
    ("bench/report.cpp", '#include "parameters/tessera_aieml.h"', "the core may not use parameters/tessera_aieml.h of aieml"),
    ("tb/dma/dma.h", '#include "tessera_movers.h"', "the core may not use tessera_movers.h of mover4d"),
    ("sw/driver/tessera/driver.hpp", '#include "aieml/player.hpp"', "the core may not use aieml/player.hpp of aieml"),
    ("tools/mover4d/rom.cpp", '#include "lib/aieml/array.h"', "mover4d may not use lib/aieml/array.h of aieml"),
    ("lib/aieml/array.h", '#include "tb/mover4d/mover.h"', "aieml may not use tb/mover4d/mover.h of mover4d"),
    ("sw/driver/tessera/bus.hpp", '#include "tb/sim/tick.h"', "sw/driver may not include tb"),
    ("tb/sim/tick.h", '#include "bench/row.h"', "tb may not include bench"),
    ("tools/mover4d/rom.cpp", '#include "tools/gen/spec.h"', ""),
    ("lib/aieml/registers.h", '#include "sw/driver/tessera/aieml/player.hpp"', ""),
    ("sw/graph/rtl.cpp", '#include "tools/pictures/timeline.h"', "")]
CMAKE = [
    ("tools/tools.cmake", "target_link_libraries(tessera_cli PRIVATE tessera_aieml)", "the core may not use aieml of aieml"),
    ("tests/dma/dma_tests.cmake", "include(tests/mover4d/mover4d_tests.cmake)", "the core may not use mover4d of mover4d"),
    ("tools/tools.cmake", "foreach(product IN LISTS TESSERA_PRODUCTS)", "")]
SV = [
    ("rtl/program/tsr_pick.sv", "tsr_mover_ram u_x ();", "the core may not use tsr_mover_ram of mover4d"),
    ("rtl/stream/tsr_stream_in.sv", "import tsr_aieml_pkg::*;", "the core may not use tsr_aieml_pkg of aieml"),
    ("rtl/aieml/tsr_aieml_send.sv", "tsr_stream_cut u_x ();", "aieml may not use tsr_stream_cut of mover4d"),
    ("rtl/aieml/tsr_aieml_send.sv", "tsr_pick u_x ();", "")]
check = Checks()


def is_told(path, text, wanted, found):
    told = [line for line in found if line]
    check(f"{path}: {text}", len(told) == 1 and wanted in told[0] if wanted else not told, told)


for path, text, wanted in CPP:
    is_told(path, text, wanted, layers.cpp(path, text))
for path, text, wanted in CMAKE:
    is_told(path, text, wanted, layers.cmake(path, text))
known = repo.sources_by_name()
for path, text, wanted in SV:
    is_told(path, text, wanted, layers.systemverilog(path, text, known))
check.finish()
