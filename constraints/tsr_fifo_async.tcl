# Clock crossings of tsr_fifo_async (and so of tsr_stream_cdc), for Vivado. Read it once for the design;
# every instance is found by the names of its registers.
#
#   add_files -fileset constrs_1 constraints/tsr_fifo_async.tcl     (or: source it after link_design)
#
# Each path is bounded instead of declared false. A Gray pointer's bits must arrive within one cycle of
# the clock that sends them, or a pointer could be seen that never was; data must be there when the
# pointer that covers it is. With clocks declared asynchronous (set_clock_groups) none of this would be
# looked at: do not put these clocks into groups.

# Pairs of cells: who sends, and the first flop that catches it.
proc tsr_cross {from to} {
  set sent [get_cells -quiet -hierarchical -regexp $from]
  set caught [get_cells -quiet -hierarchical -regexp $to]
  if {[llength $sent] == 0 || [llength $caught] == 0} { return }
  set period [get_property -min PERIOD [get_clocks -of_objects $sent]]
  set_max_delay -datapath_only -from $sent -to $caught $period
  set_bus_skew -from $sent -to $caught $period
}

foreach fifo [get_cells -quiet -hierarchical -filter {ORIG_REF_NAME =~ tsr_fifo_async* || REF_NAME =~ tsr_fifo_async*}] {
  # Pointers, and the words of the restart. Bit positions: chain_q[0] is the first flop.
  tsr_cross "$fifo/wr_gray_q_reg.*" "$fifo/u_wr_to_rd/chain_q_reg\\\[0\\\].*"
  tsr_cross "$fifo/rd_gray_q_reg.*" "$fifo/u_rd_to_wr/chain_q_reg\\\[0\\\].*"
  tsr_cross "$fifo/u_wr_restart/(.*turn_q|stopped_q)_reg.*" "$fifo/u_rd_restart/u_sync/chain_q_reg\\\[0\\\].*"
  tsr_cross "$fifo/u_rd_restart/(.*turn_q|stopped_q)_reg.*" "$fifo/u_wr_restart/u_sync/chain_q_reg\\\[0\\\].*"
  # Data: from the memory into the registers of the output. Stages cycles of the reader are there for it;
  # one is asked for.
  set memory [get_cells -quiet -hierarchical -regexp "$fifo/mem_q_reg.*"]
  set output [get_cells -quiet -hierarchical -regexp "$fifo/u_out/(out|spare)_q_reg.*"]
  if {[llength $memory] != 0 && [llength $output] != 0} {
    set period [get_property -min PERIOD [get_clocks -of_objects $output]]
    set_max_delay -datapath_only -from $memory -to $output $period
  }
}
