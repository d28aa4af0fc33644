// Text for people: what a status, a record, an error register or a waiting channel says. Including
// this file is what costs the memory; nothing else of the driver does.
#pragma once

#include <stdint.h>

#include "channel.hpp"
#include "status.hpp"

namespace tessera::driver {
namespace text_detail {

// Entry `number` of a list; behind its end, `none`.
template <uint32_t kCount>
constexpr const char* Entry(const char* const (&texts)[kCount], uint32_t number, const char* none) {
  return number < kCount ? texts[number] : none;
}

// The reason of the last entry, if that is the reason of the first one.
template <uint32_t kCount>
constexpr Reason Last(const char* const (&)[kCount], Reason first) {
  return static_cast<Reason>(static_cast<uint32_t>(first) + kCount - 1);
}

// The texts of reasons, those of each code in the order of the enumerators.
inline constexpr const char* kUser[] = {
    "no error",
    "an element is wider than the bus of the memory",
    "base is beyond the address width",
    "a row has 2^32 bytes or more",
    "length is 2^32 bytes or more",
    "a bound is above 2^31",
    "a coordinate of a bounded dimension needs more than 32 bits",
    "a traversal moves a bounded dimension too far",
    "a dimension: legal is 0 to 3",
    "a level of the traversal: legal is 0 to 3",
    "the level of TLAST: legal is 0 to 7",
    "the size of an iteration: legal is 1 to 65535",
    "the build has no such lock",
    "the value of a lock: legal is -63 to 63 to acquire, -64 to 63 to release, 0 to 63 to set it",
    "the build has no such descriptor",
    "the build has no such channel",
    "the channel has no such window",
    "first and last of a window: legal are addresses of pages of 4 KiB, first not above last",
    "the window cannot be changed before a reset",
    "a trigger: legal is 0 to 127, of software 0 to 15",
    "the exponent of the time-outs is not 0 to 15",
    "repeats: legal is 1 to 65536",
    "the id of a packet: legal is 0 to 31",
    "the type of a packet: legal is 0 to 7",
    "the descriptor in a packet header: legal is 0 to 63",
    "the last descriptor of a task must leave a record",
    "a task has no descriptor, or more than it was made for",
    "the channel goes the other way",
    "nothing was opened or configured, or it has been freed",
    "the hardware still has the descriptors of the task",
    "no task of this ticket is outstanding",
    "no memory was given",
    "nothing would be moved",
    "the buffer is not of the pool",
    "other data lies in a cache line of the buffer",
    "without end of transfer a segment is a whole number of beats",
    "the stream has been released, or was never created",
    "min is above max, or there is no room for max completions",
    "no such handle, or it has been released",
    "no such option, or not for these arguments",
    "the bits of an element: legal is 4, 8, 16 ... 512",
    "a dimension of the tile is 0",
    "a dimension of the buffer is 0",
    "the buffer has more bytes than strides can say",
    "more dimensions than 4, or lists of different lengths",
    "a traversal names a dimension that the buffer does not have",
    "a wrap of the traversal is 0",
    "a boundary is 0, or above the buffer",
    "dimension 0 is no whole number of groups of elements",
    "a size is 0",
    "a stride is no whole number of granules",
    "an offset is no whole number of granules",
    "a size of an image or a kernel is 0, or the kernel does not fit",
    "a list, a ring or its entries: legal are multiples of 64 within the address width",
    "an array has 1 to 65535 descriptors, a ring 2 to 65535 places",
    "the descriptor has an extension for which the pitch has no room",
    "the binary ends inside its header or an operation",
    "the version of the binary is not 0.1",
    "the header tells another size than the binary has",
    "the header tells another number of operations than there are",
    "the size word is not that of the operation",
    "a word or field that is reserved is not 0",
    "a sync of no columns or no rows",
    "no instance stands for this column and row",
    "a register is no multiple of 4, or a block leaves the tile",
    "the binary patches an argument that was not given",
    "a patch of no word of a descriptor that holds an address",
    "a patched address is no multiple of 4, or beyond the reach of the tile",
    "legal are a weight, QoS and cache of 0 to 15, protection 0 to 7, controller 0 to 255",
    "records for an interrupt: legal is 0 to 31",
    "a register is locked until a reset of everything",
    "no list: headers choose the descriptors of the channel",
};
inline constexpr const char* kDriver[] = {
    "the task queue has no room",
    "every descriptor is in use",
    "more tasks than the channel object keeps track of",
    "the pool has no block of this size",
    "every handle or place is in use",
    "the ring of descriptors has no place",
    "it did not happen within the time given",
    "the lock was not granted within the time given",
    "a record of the task has an error: see its status",
    "the task was cut short",
    "the channel stopped at an error until it is reset",
    "the channel was stopped by a fault until it is reset",
    "an abort or a reset has not ended: the memory owes answers",
    "an earlier program left the channel held, stopped, at work or with records: reset it",
    "an earlier program quiesced the device: resume it",
    "the frame ended before its buffer was full",
};
inline constexpr const char* kHost[] = {
    "a device file cannot be opened",
    "a device file cannot be mapped",
    "the operating system refused a request",
};
inline constexpr const char* kInternal[] = {
    "a record of a task that nobody pushed",
};
inline constexpr const char* kUnsupported[] = {
    "no tessera_dma answers at this address",
    "a programming model that this driver does not know",
    "capabilities that no build has",
    "this build has no traversal",
    "this build has no bounds",
    "this build has no lists in memory",
    "this build has no windows",
    "this build has no triggers",
    "this build has no tokens",
    "this build has no packet headers",
    "this build receives no packets out of order",
    "this build has no counters",
    "this build has no locks",
    "it does not fit into one descriptor of this build",
    "an operation that the player does not know",
};
static_assert(Last(kUser, Reason::none) == Reason::headers_choose);
static_assert(Last(kDriver, Reason::queue_full) == Reason::frame_short);
static_assert(Last(kHost, Reason::host_open) == Reason::host_ioctl);
static_assert(Last(kInternal, Reason::record_unexpected) == Reason::record_unexpected);
static_assert(Last(kUnsupported, Reason::unknown_device) == Reason::operation_unknown);

}  // namespace text_detail

constexpr const char* Text(Code code) {
  constexpr const char* kTexts[] = {"ok",         "user error",     "driver error",
                                    "host error", "internal error", "unsupported"};
  return text_detail::Entry(kTexts, static_cast<uint32_t>(code), "unknown code");
}

constexpr const char* Text(Reason reason) {
  using namespace text_detail;  // NOLINT: its tables
  const auto of = [reason](const auto& texts, Reason first) {
    return Entry(texts, static_cast<uint32_t>(reason) - static_cast<uint32_t>(first),
                 "unknown reason");
  };
  if (reason >= Reason::unknown_device) return of(kUnsupported, Reason::unknown_device);
  if (reason >= Reason::record_unexpected) return of(kInternal, Reason::record_unexpected);
  if (reason >= Reason::host_open) return of(kHost, Reason::host_open);
  if (reason >= Reason::queue_full) return of(kDriver, Reason::queue_full);
  return of(kUser, Reason::none);
}

constexpr const char* Text(Status status) { return Text(status.reason()); }

// Bit `bit` of the status of a record.
constexpr const char* RecordText(uint32_t bit) {
  constexpr const char* kTexts[] = {"the memory answered SLVERR",
                                    "the memory answered DECERR",
                                    "the packet was longer than its transfer",
                                    "the packet ended inside an element",
                                    "a beat without TLAST had null bytes",
                                    "the transfer was aborted",
                                    "the build cannot execute this transfer"};
  return text_detail::Entry(kTexts, bit, "unknown status");
}

// Bit `bit` of ERROR.
constexpr const char* ErrorText(uint32_t bit) {
  constexpr const char* kTexts[] = {
      "a descriptor was not loaded",
      "a bus error",
      "a packet was longer than its transfer",
      "a packet ended inside an element",
      "a beat without TLAST had null bytes",
      "an illegal transfer",
      "a transfer was aborted",
      "a fault stopped the channel",
      "a burst was outside the windows",
      "a release made a lock overflow",
      "a release made a lock underflow",
      "a task was refused: the queue was full, or an abort or a reset went on",
      "a trigger was missed",
      "the list could not be fetched",
      "a completion could not be written"};
  return text_detail::Entry(kTexts, bit, "unknown error");
}

// Why a descriptor was not loaded: `reason` of ERROR_INFO.
constexpr const char* LoadText(uint32_t reason) {
  constexpr const char* kPrepared[] = {"it was loaded",
                                       "an element is wider than the bus",
                                       "the build has no traversal",
                                       "the build has no bounds",
                                       "base is beyond the address width",
                                       "a row has 2^32 bytes or more",
                                       "length is 2^32 bytes or more",
                                       "a traversal moves a bounded dimension too far"};
  constexpr const char* kLoaded[] = {
      "it was not written completely",
      "the build or the channel has no such descriptor",
      "the build has no such lock",
      "it has an extension that the build does not have",
      "the fetch was answered with SLVERR",
      "the list leaves the windows of the channel",
      "a reserved bit is set",
      "the fetch was answered with DECERR",
      "the list does not begin at a multiple of 64, or is beyond the address space",
      "the list has no descriptors",
      "the tail is not inside the ring",
      "the pitch of the list has no room for the extension",
      "a fault of the port of the lists"};
  constexpr const char* kEntry[] = {"the base of the completion entries is not legal",
                                    "the completion entry is outside the windows",
                                    "the completion entry was answered with SLVERR",
                                    "the completion entry was answered with DECERR",
                                    "a fault of the port of the lists, at a completion entry"};
  constexpr const char* kUnknown = "unknown reason";
  if (reason >= 49) return text_detail::Entry(kEntry, reason - 49, kUnknown);
  if (reason >= 32) return text_detail::Entry(kLoaded, reason - 32, kUnknown);
  return text_detail::Entry(kPrepared, reason, kUnknown);
}

// What a guard or `StopOn` has found: `fault` of ERROR_INFO.
constexpr const char* FaultText(uint32_t fault) {
  constexpr const char* kTexts[] = {"no fault",
                                    "RLAST came before the last beat of a burst",
                                    "the last beat of a burst had no RLAST",
                                    "data or an answer came without a burst",
                                    "a write was answered before its last beat was taken",
                                    "the order of answers cannot be trusted any more",
                                    "the memory has not answered for too long",
                                    "the stream has not moved for too long",
                                    "the stream changed or took back a beat",
                                    "a record had a status that stops the channel"};
  return text_detail::Entry(kTexts, fault, "unknown fault");
}

// Who is waited for: bits 3:0 of STATUS.
constexpr const char* WaitText(uint32_t waits) {
  constexpr const char* kTexts[] = {"there is nothing to do",
                                    "the trigger",
                                    "the descriptor",
                                    "a lock",
                                    "the engine",
                                    "the memory",
                                    "room for a record",
                                    "its turn at the locks",
                                    "the token path",
                                    "the list",
                                    "the write-back",
                                    "pause",
                                    "reset",
                                    "a reset, after a fault or error",
                                    "the packet header",
                                    "the stream"};
  return text_detail::Entry(kTexts, waits, "unknown");
}

}  // namespace tessera::driver
