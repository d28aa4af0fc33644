// The driver of tessera_dma: everything but text.hpp.
//
// Freestanding C++20 in headers: no library, no heap, no exceptions, no virtual functions, no
// static constructors.
#pragma once

#include "bus.hpp"
#include "cache.hpp"
#include "capabilities.hpp"
#include "channel.hpp"
#include "counters.hpp"
#include "descriptor.hpp"
#include "device.hpp"
#include "frames.hpp"
#include "gmio.hpp"
#include "helpers.hpp"
#include "list.hpp"
#include "memcpy_nd.hpp"
#include "memory.hpp"
#include "profile.hpp"
#include "ring.hpp"
#include "service.hpp"
#include "status.hpp"
#include "stream.hpp"
#include "task.hpp"
#include "tiling.hpp"
