// Assertions: checked in every simulation, proven by the prover, gone under synthesis.
//
// One text serves Verilator (5.006 and later) and slang (for Yosys): neither reads every form of SVA.
// The macros use `clk_i` and `rst_ni` of the scope they stand in, sample at the rising edge, and are
// silent in reset. Names are labels: unique in their scope. Write no semicolon after them.
//
//   `TSR_ASSERT(Name, expr)             expr holds in every cycle
//   `TSR_ASSUME(Name, expr)             the environment keeps expr; simulation checks it
//   `TSR_COVER(Name, expr)              expr can happen
//   `TSR_ASSERT_NEXT(Name, a, b)        a in one cycle implies b in the next
//   `TSR_ASSUME_NEXT(Name, a, b)
//   `TSR_COVER_NEXT(Name, a, b)         a, then b in the next cycle, can happen
//   `TSR_STABLE(Name, valid, ready, payload)         what is offered stays until it is accepted
//   `TSR_ASSUME_STABLE(Name, valid, ready, payload)
//   `TSR_STATIC_ASSERT(Name, cond, ("text %0d", Value))
//                                       stops elaboration with that sentence unless the constant cond
//                                       holds; for the module's body, outside procedures
//
// `b` and `expr` may use $past, $stable, $rose and $fell of one cycle back; guard them by the _NEXT
// forms where the cycle before may have been in reset.
`ifndef TSR_ASSERT_SVH
`define TSR_ASSERT_SVH

// verilog_format: off
`ifdef SYNTHESIS

`define TSR_ASSERT(Name, Expr)
`define TSR_ASSUME(Name, Expr)
`define TSR_COVER(Name, Expr)

`else

// For a concurrent assertion a simulator like this keeps a second copy of every signal it samples. An
// immediate one at the edge sees the same values and costs a third of that.
`ifdef VERILATOR

`define TSR_ASSERT(Name, Expr)                                                        \
  always @(posedge clk_i)                                                             \
    if (rst_ni)                                                                       \
      Name : assert (Expr)                                                            \
      else $error("%s", `"Expr`");

`define TSR_ASSUME(Name, Expr) `TSR_ASSERT(Name, Expr)

`else

`define TSR_ASSERT(Name, Expr)                                                        \
  Name :                                                                              \
  assert property (@(posedge clk_i) disable iff (!rst_ni) (Expr))                     \
  else $error("%s", `"Expr`");

`define TSR_ASSUME(Name, Expr)                                                        \
  Name :                                                                              \
  assume property (@(posedge clk_i) disable iff (!rst_ni) (Expr))                     \
  else $error("%s", `"Expr`");

`endif

`define TSR_COVER(Name, Expr)                                                         \
  Name :                                                                              \
  cover property (@(posedge clk_i) disable iff (!rst_ni) (Expr));

`endif

`define TSR_ASSERT_NEXT(Name, A, B)                                                   \
  `TSR_ASSERT(Name, !($past(rst_ni) && $past(A)) || (B))

`define TSR_ASSUME_NEXT(Name, A, B)                                                   \
  `TSR_ASSUME(Name, !($past(rst_ni) && $past(A)) || (B))

`define TSR_COVER_NEXT(Name, A, B)                                                    \
  `TSR_COVER(Name, $past(rst_ni) && $past(A) && (B))

`define TSR_STABLE(Name, Valid, Ready, Payload)                                       \
  `TSR_ASSERT_NEXT(Name, (Valid) && !(Ready), (Valid) && $past(Payload) == (Payload))

`define TSR_ASSUME_STABLE(Name, Valid, Ready, Payload)                                \
  `TSR_ASSUME_NEXT(Name, (Valid) && !(Ready), (Valid) && $past(Payload) == (Payload))

`define TSR_STATIC_ASSERT(Name, Cond, Message)                                        \
  if (!(Cond)) begin : gen_static_assert_``Name                                       \
    $error Message;                                                                   \
  end
// verilog_format: on

`endif
