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

}  // namespace text_detail

constexpr const char* Text(Code code) {
  switch (code) {
    case Code::ok:
      return "ok";
    case Code::user_error:
      return "user error";
    case Code::driver_error:
      return "driver error";
    case Code::host_error:
      return "host error";
    case Code::internal_error:
      return "internal error";
    case Code::unsupported:
      return "unsupported";
  }
  return "unknown code";
}

constexpr const char* Text(Reason reason) {
  switch (reason) {
    case Reason::none:
      return "no error";
    case Reason::element_size:
      return "an element is wider than the bus of the memory";
    case Reason::base_range:
      return "base is beyond the address width";
    case Reason::row_bytes:
      return "a row has 2^32 bytes or more";
    case Reason::length_bytes:
      return "length is 2^32 bytes or more";
    case Reason::bound_range:
      return "a bound is above 2^31";
    case Reason::coordinate_range:
      return "a coordinate of a bounded dimension needs more than 32 bits";
    case Reason::walk_reach:
      return "a traversal moves a bounded dimension too far";
    case Reason::dimension_number:
      return "a dimension: legal is 0 to 3";
    case Reason::walk_level:
      return "a level of the traversal: legal is 0 to 3";
    case Reason::last_level:
      return "the level of TLAST: legal is 0 to 7";
    case Reason::iteration_size:
      return "the size of an iteration: legal is 1 to 65535";
    case Reason::lock_number:
      return "the build has no such lock";
    case Reason::lock_value:
      return "the value of a lock: legal is -64 to 63, to set it 0 to 63";
    case Reason::descriptor_number:
      return "the build has no such descriptor";
    case Reason::channel_number:
      return "the build has no such channel";
    case Reason::window_number:
      return "the channel has no such window";
    case Reason::window_pages:
      return "first and last of a window: legal are addresses of pages of 4 KiB, first not above "
             "last";
    case Reason::window_locked:
      return "the window cannot be changed before a reset";
    case Reason::trigger_number:
      return "a trigger: legal is 0 to 127, of software 0 to 15";
    case Reason::patience_exponent:
      return "the exponent of the time-outs is not 0 to 15";
    case Reason::repeat_range:
      return "repeats: legal is 1 to 65536";
    case Reason::packet_id:
      return "the id of a packet: legal is 0 to 31";
    case Reason::packet_type:
      return "the type of a packet: legal is 0 to 7";
    case Reason::packet_slot:
      return "the descriptor in a packet header: legal is 0 to 63";
    case Reason::record_needed:
      return "the last descriptor of a task must leave a record";
    case Reason::chain_length:
      return "a task has no descriptor, or more than it was made for";
    case Reason::wrong_direction:
      return "the channel goes the other way";
    case Reason::not_configured:
      return "nothing was opened or configured, or it has been freed";
    case Reason::task_running:
      return "the hardware still has the descriptors of the task";
    case Reason::ticket_unknown:
      return "no task of this ticket is outstanding";
    case Reason::null_buffer:
      return "no memory was given";
    case Reason::zero_size:
      return "nothing would be moved";
    case Reason::outside_pool:
      return "the buffer is not of the pool";
    case Reason::shares_line:
      return "other data lies in a cache line of the buffer";
    case Reason::segment_beats:
      return "without end of transfer a segment is a whole number of beats";
    case Reason::stream_closed:
      return "the stream has been released, or was never created";
    case Reason::poll_range:
      return "min is above max, or there is no room for max completions";
    case Reason::handle_invalid:
      return "no such handle, or it has been released";
    case Reason::option_invalid:
      return "no such option, or not for these arguments";
    case Reason::element_bits:
      return "the bits of an element: legal is 4, 8, 16 ... 512";
    case Reason::tile_zero:
      return "a dimension of the tile is 0";
    case Reason::buffer_zero:
      return "a dimension of the buffer is 0";
    case Reason::buffer_size:
      return "the buffer has more bytes than strides can say";
    case Reason::rank:
      return "more dimensions than 4, or lists of different lengths";
    case Reason::traversal_dimension:
      return "a traversal names a dimension that the buffer does not have";
    case Reason::traversal_wrap:
      return "a wrap of the traversal is 0";
    case Reason::boundary_range:
      return "a boundary is 0, or above the buffer";
    case Reason::subword_group:
      return "dimension 0 is no whole number of groups of elements";
    case Reason::size_zero:
      return "a size is 0";
    case Reason::stride_word:
      return "a stride is no whole number of granules";
    case Reason::offset_word:
      return "an offset is no whole number of granules";
    case Reason::image_size:
      return "a size of an image or a kernel is 0, or the kernel does not fit";
    case Reason::list_base:
      return "a list, a ring or its entries: legal are multiples of 64 within the address width";
    case Reason::list_count:
      return "an array has 1 to 65535 descriptors, a ring 2 to 65535 places";
    case Reason::list_pitch:
      return "the descriptor has an extension for which the pitch has no room";
    case Reason::binary_truncated:
      return "the binary ends inside its header or an operation";
    case Reason::binary_version:
      return "the version of the binary is not 0.1";
    case Reason::binary_bytes:
      return "the header tells another size than the binary has";
    case Reason::operation_count:
      return "the header tells another number of operations than there are";
    case Reason::operation_size:
      return "the size word is not that of the operation";
    case Reason::operation_field:
      return "a word or field that is reserved is not 0";
    case Reason::sync_range:
      return "a sync of no columns or no rows";
    case Reason::tile_unknown:
      return "no instance stands for this column and row";
    case Reason::register_range:
      return "a register is no multiple of 4, or a block leaves the tile";
    case Reason::argument_number:
      return "the binary patches an argument that was not given";
    case Reason::patch_register:
      return "a patch of no word of a descriptor that holds an address";
    case Reason::patch_address:
      return "a patched address is no multiple of 4, or beyond the reach of the tile";
    case Reason::standing_range:
      return "legal are a weight, QoS and cache of 0 to 15, protection 0 to 7, controller 0 to 255";
    case Reason::coalesce_range:
      return "records for an interrupt: legal is 0 to 31";
    case Reason::register_locked:
      return "a register is locked until a reset of everything";
    case Reason::headers_choose:
      return "no list: headers choose the descriptors of the channel";
    case Reason::queue_full:
      return "the task queue has no room";
    case Reason::no_descriptor:
      return "every descriptor is in use";
    case Reason::no_ticket:
      return "more tasks than the channel object keeps track of";
    case Reason::no_memory:
      return "the pool has no block of this size";
    case Reason::no_handle:
      return "every handle or place is in use";
    case Reason::ring_full:
      return "the ring of descriptors has no place";
    case Reason::timeout:
      return "it did not happen within the time given";
    case Reason::not_granted:
      return "the lock was not granted within the time given";
    case Reason::transfer_failed:
      return "a record of the task has an error: see its status";
    case Reason::transfer_aborted:
      return "the task was cut short";
    case Reason::channel_halted:
      return "the channel stopped at an error until it is reset";
    case Reason::channel_faulted:
      return "the channel was stopped by a fault until it is reset";
    case Reason::channel_stuck:
      return "an abort or a reset has not ended: the memory owes answers";
    case Reason::channel_in_use:
      return "an earlier program left the channel held, stopped, at work or with records: reset it";
    case Reason::device_quiesced:
      return "an earlier program quiesced the device: resume it";
    case Reason::frame_short:
      return "the frame ended before its buffer was full";
    case Reason::host_open:
      return "a device file cannot be opened";
    case Reason::host_map:
      return "a device file cannot be mapped";
    case Reason::host_ioctl:
      return "the operating system refused a request";
    case Reason::record_unexpected:
      return "a record of a task that nobody pushed";
    case Reason::unknown_device:
      return "no tessera_dma answers at this address";
    case Reason::unknown_version:
      return "a programming model that this driver does not know";
    case Reason::capabilities:
      return "capabilities that no build has";
    case Reason::no_walk:
      return "this build has no traversal";
    case Reason::no_bounds:
      return "this build has no bounds";
    case Reason::no_lists:
      return "this build has no lists in memory";
    case Reason::no_windows:
      return "this build has no windows";
    case Reason::no_triggers:
      return "this build has no triggers";
    case Reason::no_tokens:
      return "this build has no tokens";
    case Reason::no_headers:
      return "this build has no packet headers";
    case Reason::no_out_of_order:
      return "this build receives no packets out of order";
    case Reason::no_counters:
      return "this build has no counters";
    case Reason::no_locks:
      return "this build has no locks";
    case Reason::too_many_dimensions:
      return "it does not fit into one descriptor of this build";
    case Reason::operation_unknown:
      return "an operation that the player does not know";
  }
  return "unknown reason";
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
