// ADF graphs on Tessera: include this where a program includes ADF. README.md tells how they run.
#pragma once

// Programs of ADF have main() for simulators alone, and kernels have hints for their compiler.
#if !defined(__AIESIM__) && !defined(__X86SIM__)
#define __X86SIM__ 1
#endif
#define chess_prepare_for_pipelining
#define chess_flatten_loop
#define chess_loop_range(...)
#define chess_unroll_loop(...)
#define chess_require_pipelining(...)
#define chess_separator_scheduler(...)
#define chess_storage(...)
#define chess_protect_access
#ifndef restrict  // a word of their C++
#define restrict __restrict
#endif

#include "adf/buffers.hpp"
#include "adf/constraints.hpp"
#include "adf/graph.hpp"
#include "adf/io.hpp"
#include "adf/kernel.hpp"
#include "adf/ports.hpp"
#include "adf/streams.hpp"
#include "adf/types.hpp"
#include "adf/windows.hpp"

TESSERA_ADF_NAMES(int8)
TESSERA_ADF_NAMES(int16)
TESSERA_ADF_NAMES(int32)
TESSERA_ADF_NAMES(int64)
TESSERA_ADF_NAMES(uint8)
TESSERA_ADF_NAMES(uint16)
TESSERA_ADF_NAMES(uint32)
TESSERA_ADF_NAMES(uint64)
TESSERA_ADF_NAMES(cint16)
TESSERA_ADF_NAMES(cint32)
TESSERA_ADF_NAMES(float)
TESSERA_ADF_NAMES(cfloat)
