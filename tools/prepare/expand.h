// A program for tessera_dma taken apart: numbers for its names, and the transfers of each channel
// in order. Inside tools/prepare alone.
#pragma once

#include "tools/prepare/prepare.h"

namespace tessera::cli {

// Fills in what PreparedChannel and Prepared keep of a program; channels with transfers get a
// descriptor for each, and a task for each but those that belong together. Throws job::Error.
void ExpandProgram(Prepared* prepared);

}  // namespace tessera::cli
