// What a call of the driver answers: a code as ADF has it, and the rule that was broken.
//
// A status is four bytes and cannot be ignored. Text for people is in text.hpp, for those who want
// it.
#pragma once

#include <stdint.h>

namespace tessera::driver {

// The codes of ADF in its order. `host_error` stands where ADF has the error of its run time.
enum class Code : uint8_t {
  ok = 0,
  user_error = 1,
  driver_error = 2,
  host_error = 3,
  internal_error = 4,
  unsupported = 5,
};

// The rule that was broken. Where a dimension, level, lock or channel has part in it,
// Status::index() says which.
enum class Reason : uint8_t {
  none = 0,
  // user_error: the arguments
  element_size = 1,     // an element is wider than the bus of the memory
  base_range,           // base is beyond the address width
  row_bytes,            // a row has 2^32 bytes or more
  length_bytes,         // length is 2^32 bytes or more
  bound_range,          // a bound is above 2^31
  coordinate_range,     // a coordinate of a bounded dimension needs more than 32 bits
  walk_reach,           // a traversal moves a bounded dimension too far
  dimension_number,     // legal is 0 to 3
  walk_level,           // legal is 0 to 3
  last_level,           // legal is 0 to 7
  iteration_size,       // legal is 1 to 65535
  lock_number,          // the build has no such lock
  lock_value,           // a signed amount of 7 bits, or a value of 6 bits
  descriptor_number,    // the build has no such descriptor
  channel_number,       // the build has no such channel
  window_number,        // the channel has no such window
  window_pages,         // first and last are addresses of pages of 4 KiB, first not above last
  window_locked,        // the window cannot be changed before a reset
  trigger_number,       // legal is 0 to 127, from software 0 to 15
  patience_exponent,    // legal is 0 to 15
  repeat_range,         // legal is 1 to 65536
  packet_id,            // legal is 0 to 31
  packet_type,          // legal is 0 to 7
  packet_slot,          // legal is 0 to 63
  record_needed,        // the last descriptor of a task has a record
  chain_length,         // a task has 1 to so many descriptors as it was made for
  wrong_direction,      // the channel goes the other way
  not_configured,       // nothing was configured, or it has been freed
  task_running,         // the hardware still has the descriptors of the task
  ticket_unknown,       // no task of this ticket is outstanding
  null_buffer,          // no memory was given
  zero_size,            // nothing would be moved
  outside_pool,         // the buffer is not of the pool
  shares_line,          // other data lies in a cache line of the buffer
  segment_beats,        // without end of transfer a segment is a whole number of beats
  stream_closed,        // the stream has been released, or was never created
  poll_range,           // min is above max, or there is no room for max
  handle_invalid,       // no such handle, or it has been released
  option_invalid,       // no such option, or not for these arguments
  element_bits,         // legal is 4, 8, 16 ... 512 bits
  tile_zero,            // a dimension of the tile is 0
  buffer_zero,          // a dimension of the buffer is 0
  buffer_size,          // the buffer has more bytes than strides can say
  rank,                 // more dimensions than 4, or lists of different lengths
  traversal_dimension,  // a traversal names a dimension that the buffer does not have
  traversal_wrap,       // a wrap of 0
  boundary_range,       // a boundary is 0, or above the buffer
  subword_group,        // dimension 0 is no whole number of groups of elements
  size_zero,            // a size is 0
  stride_word,          // a stride is no whole number of granules
  offset_word,          // an offset is no whole number of granules
  image_size,           // a size of an image or a kernel is 0, or the kernel does not fit
  list_base,            // a list or ring begins at a multiple of 64, and ends in the address width
  list_count,           // a ring has 2 to 65535 places, an array 1 to 65535 descriptors
  list_pitch,           // the descriptor has an extension for which the pitch has no room
  binary_truncated,     // a transaction binary ends inside its header or an operation
  binary_version,       // legal is version 0.1
  binary_bytes,         // the header tells another size than the binary has
  operation_count,      // the header tells another number of operations than there are
  operation_size,       // the size word is not that of the operation
  operation_field,      // a word or field that is reserved is not 0
  sync_range,           // a sync of no columns or no rows
  tile_unknown,         // no instance stands for this column and row
  register_range,       // a register is no multiple of 4, or a block leaves the tile
  argument_number,      // the binary patches an argument that was not given
  patch_register,       // no word of a descriptor that holds an address
  patch_address,        // the address is no multiple of 4, or beyond the tile's reach
  standing_range,       // weight, QoS and cache are 0 to 15, protection 0 to 7, controller 0 to 255
  coalesce_range,       // 0 to 31 records, a time of 0 to 65535
  register_locked,      // CONTROL, STANDING or GLOBAL_CONTROL is locked until a reset of everything
  headers_choose,       // no list while headers choose the descriptors of the channel
  // driver_error: it could not be done now
  queue_full = 100,  // the task queue has no room
  no_descriptor,     // every descriptor is in use
  no_ticket,         // more tasks than the channel object keeps track of
  no_memory,         // the pool has no block of this size
  no_handle,         // every handle or place is in use
  ring_full,         // the ring of descriptors has no place
  timeout,           // it did not happen within the time given
  not_granted,       // the lock was not granted within the time given
  transfer_failed,   // a record of the task has an error: see its status
  transfer_aborted,  // the task was cut short
  channel_halted,    // the channel stopped at an error until it is reset
  channel_faulted,   // the channel was stopped by a fault until it is reset
  channel_stuck,     // an abort or a reset has not ended: the memory owes answers
  channel_in_use,    // an earlier program left it held, stopped, at work or with records: Reset()
  device_quiesced,   // an earlier program did not resume it: Resume()
  frame_short,       // TLAST came before the frame was full: FrameBuffers::bytes()
  // host_error: the operating system
  host_open = 150,
  host_map,
  host_ioctl,
  // internal_error: what cannot happen has happened
  record_unexpected = 170,  // a record of a task that nobody pushed
  // unsupported: this build, or this driver, has no such thing
  unknown_device = 200,  // no tessera_dma answers at this address
  unknown_version,       // a programming model that this driver does not know
  capabilities,          // capabilities that no build has
  no_walk,
  no_bounds,
  no_lists,
  no_windows,
  no_triggers,
  no_tokens,
  no_headers,
  no_out_of_order,
  no_counters,
  no_locks,
  too_many_dimensions,  // it does not fit into one descriptor of this build
  operation_unknown,    // an operation that the player does not know; the index is its code
};

constexpr Code CodeOf(Reason reason) {
  if (reason == Reason::none) return Code::ok;
  if (reason < Reason::queue_full) return Code::user_error;
  if (reason < Reason::host_open) return Code::driver_error;
  if (reason < Reason::record_unexpected) return Code::host_error;
  if (reason < Reason::unknown_device) return Code::internal_error;
  return Code::unsupported;
}

class [[nodiscard]] Status {
 public:
  constexpr Status() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): a reason is a status.
  constexpr Status(Reason reason, uint32_t index = 0)
      : word_(static_cast<uint32_t>(reason) | index << 8) {}

  constexpr bool ok() const { return word_ == 0; }
  constexpr Code code() const { return CodeOf(reason()); }
  constexpr Reason reason() const { return static_cast<Reason>(word_ & 0xff); }
  // The dimension, level, lock, descriptor or channel that the reason is about; else 0.
  constexpr uint16_t index() const { return static_cast<uint16_t>(word_ >> 8); }
  constexpr bool operator==(const Status&) const = default;

 private:
  uint32_t word_ = 0;  // the index above the reason: no code is needed to put them together
};

// A value, or why there is none.
template <typename T>
struct [[nodiscard]] Result {
  T value{};
  Status status{};

  constexpr bool ok() const { return status.ok(); }
};

}  // namespace tessera::driver
