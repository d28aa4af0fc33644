// Reads the words of a native descriptor: its fields, and what is wrong with them.
//
// Contract: combinational. `descriptor_o` is what the preparation takes, `loaded_o` what the channel keeps
// beside it, with the first reason for which the descriptor cannot run. `next_turn_o` is what its turns
// become, with `has_iteration_o`. In a list the list says what follows, and there is no iteration. The layout
// of the words is that of docs/programming.md. Without Locks, or Side, nothing of them is kept.
// Latency: 0 cycles. Throughput: a descriptor a cycle.
`include "tsr_assert.svh"
module tsr_native_descriptor
  import tsr_pkg::*;
  import tsr_descriptor_pkg::*;
  import tsr_channel_pkg::*;
#(
  parameter int unsigned Locks   = 16,    // 0..64
  parameter bit          Walk    = 1'b1,
  parameter bit          Bounds  = 1'b1,
  parameter bit          Headers = 1'b1,
  parameter bit          Side    = 1'b1
) (
  input  logic                                    written_i,        // its valid bit
  input  logic        [DescriptorWords-1:0][31:0] base_i,
  input  logic        [DescriptorWords-1:0][31:0] bounds_i,
  input  logic        [DescriptorWords-1:0][31:0] walk_i,
  input  logic        [               15:0]       turns_i,
  input  decode_t                                 decode_i,
  output descriptor_t                             descriptor_o,
  output loaded_t                                 loaded_o,
  output logic                                    has_iteration_o,
  output logic        [               15:0]       next_turn_o
);

  `TSR_STATIC_ASSERT(Locks, Locks <= 64, ("Locks = %0d; legal is 0 to 64", Locks))

  localparam bit HasLocks = Locks != 0;
  localparam int unsigned LastLock = HasLocks ? Locks - 1 : 0;

  // ---- Words ------------------------------------------------------------------------------------

  logic [31:0] lock, chain, stream, control;
  logic has_bounds, has_walk, reserved, no_lock;
  logic [15:0] turns;
  load_request_t request;

  assign request    = decode_i.request;
  assign lock       = base_i[12];
  assign chain      = base_i[13];
  assign stream     = base_i[14];
  assign control    = base_i[15];
  assign has_bounds = control[14];
  assign has_walk   = control[15];
  assign turns      = chain[31:16];

  // Bits that mean nothing are 0, so that they can mean something in a later version.
  always_comb begin
    reserved = {lock[31], lock[23:22], lock[7:6], chain[15:9], control[30]} != '0;
    if (has_bounds) reserved = reserved || {bounds_i[10][31:4], bounds_i[11]} != '0;
    if (has_walk) reserved = reserved || walk_i[8][31:8] != '0;
  end

  // ---- The transfer -----------------------------------------------------------------------------

  always_comb begin
    descriptor_o           = '0;
    descriptor_o.base      = {base_i[1], base_i[0]};
    descriptor_o.last_rule = last_rule_e'(control[5:4]);
    descriptor_o.finish    = finish_e'(control[10]);
    for (int unsigned d = 0; d < Dims; d++) begin
      descriptor_o.dim[d].count     = base_i[2+d];
      descriptor_o.dim[d].stride    = {{32{base_i[6+d][31]}}, base_i[6+d]};
      descriptor_o.dim[d].unbounded = 1'b1;
      if (Bounds && has_bounds) begin
        descriptor_o.dim[d].stride[63:32] = bounds_i[12+d];
        descriptor_o.dim[d].start         = bounds_i[d];
        descriptor_o.dim[d].bound         = bounds_i[4+d];
        descriptor_o.dim[d].unbounded     = !bounds_i[10][d];
      end
    end
    if (Bounds && has_bounds) descriptor_o.fill = {bounds_i[9], bounds_i[8]};
    for (int unsigned k = 0; k < WalkLevels; k++) begin
      descriptor_o.walk[k].count = walk_i[k];
      descriptor_o.walk[k].step  = walk_i[4+k];
      descriptor_o.walk[k].dim   = walk_i[8][2*k+:2];
    end
    descriptor_o.has_walk       = Walk && has_walk;
    descriptor_o.length         = base_i[10];
    descriptor_o.has_length     = control[3];
    descriptor_o.elem_log2      = control[2:0];
    descriptor_o.has_iteration  = has_iteration_o;
    descriptor_o.turn           = turns_i;
    descriptor_o.iteration_step = {{32{base_i[11][31]}}, base_i[11]};
    descriptor_o.last_level     = control[8:6];
    descriptor_o.join_next      = control[9];
    descriptor_o.task_end       = loaded_o.task_end;
  end

  assign has_iteration_o = turns > 16'd1 && !request.from_list;
  assign next_turn_o     = turns_i >= turns - 1'b1 ? '0 : turns_i + 1'b1;

  logic chained;
  assign chained = request.from_list ? !decode_i.turn_end : chain[8];

  logic lacks_part;
  assign lacks_part = (has_bounds && !Bounds) || (has_walk && !Walk) || (control[11] && !Headers);

  // ---- What the channel keeps -------------------------------------------------------------------

  function automatic logic lacks(input lock_id_t id);
    return !HasLocks || 32'(id) > LastLock;
  endfunction
  // An acquire of -64 asks for more than a lock can hold.
  assign no_lock = (lock[15] && (lacks(
      lock[5:0]
  ) || lock[14:8] == 7'h40)) || (lock[30:24] != '0 && lacks(
      lock[21:16]
  ));

  always_comb begin
    loaded_o = '{
        descriptor: request.from_list ? decode_i.index[DescriptorBits-1:0] : request.descriptor,
        index: decode_i.index,
        task_end: request.final_turn && !chained,
        chained: chained,
        next: chain[7:0],
        has_acquire: HasLocks && lock[15],
        acquire: HasLocks ? '{id: lock[5:0], value: lock[14:8]} : '0,
        drop: HasLocks ? '{id: lock[21:16], value: lock[30:24]} : '0,
        interrupts: control[12],
        no_record: control[13],
        side: Side ? stream : '0,
        header: '{
            enable: control[11],
            kind: control[23:21],
            bd: control[29:24],
            id: control[20:16]
        },
        error: 6'(LoadOk)
    };
    if (!decode_i.available) loaded_o.error = 6'(LoadUnavailable);
    else if (!written_i) loaded_o.error = 6'(LoadInvalid);
    else if (lacks_part) loaded_o.error = 6'(LoadExtension);
    else if (reserved) loaded_o.error = 6'(LoadReserved);
    else if (no_lock) loaded_o.error = 6'(LoadLock);
  end

  logic unused_words;
  assign unused_words = ^{base_i, control, bounds_i, walk_i, decode_i};

endmodule
