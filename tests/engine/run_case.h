// Lives in tb/soak.
#pragma once

#include "tb/soak/run_case.h"
