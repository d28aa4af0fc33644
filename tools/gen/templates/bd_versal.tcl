# A block design of @NAME@ with a Versal: registers on M_AXI_FPD of the processing system, memory through the NoC to a
# DDR4 controller, a slave of the NoC for each memory port. Choose the controller's device with the board's file.
#   vivado -mode batch -source vivado/bd_versal.tcl [-tclargs PART]
source [file join [file dirname [file normalize [info script]]] bd_common.tcl]
tessera_project design_versal [expr {[llength $argv] > 0 ? [lindex $argv 0] : "@PART@"}]

tessera_cell xilinx.com ip versal_cips ps CONFIG.PS_PMC_CONFIG [list PMC_CRP_PL0_REF_CTRL_FREQMHZ $mhz \
  PS_USE_PMCPL_CLK0 1 PS_NUM_FABRIC_RESETS 1 PS_USE_M_AXI_FPD 1 PS_IRQ_USAGE {{CH0 1} {CH1 0} {CH2 0} {CH3 0} {CH4 0} \
  {CH5 0} {CH6 0} {CH7 0} {CH8 0} {CH9 0} {CH10 0} {CH11 0} {CH12 0} {CH13 0} {CH14 0} {CH15 0}}]
tessera_cell xilinx.com ip proc_sys_reset reset
tessera_net ps/pl0_ref_clk ps/m_axi_fpd_aclk reset/slowest_sync_clk
tessera_net ps/pl0_resetn reset/ext_reset_in
tessera_dma ps/pl0_ref_clk reset/peripheral_aresetn
tessera_connect control ps/M_AXI_FPD $slaves ps/pl0_ref_clk reset/peripheral_aresetn

set count [llength $memories]
if {$count > 0} {
  tessera_cell xilinx.com ip axi_noc noc CONFIG.NUM_SI $count CONFIG.NUM_MI 0 CONFIG.NUM_MC 1 CONFIG.NUM_CLKS 1
  set slaves {}
  for {set n 0} {$n < $count} {incr n} {
    set slave [format S%02d_AXI $n]
    lappend slaves $slave
    # Quality of service: what a port can take at the clock, in MB/s; bursts as long as MaxBurst allows.
    set_property CONFIG.CONNECTIONS {MC_0 {read_bw {@MEGABYTES@} write_bw {@MEGABYTES@} read_avg_burst {4} write_avg_burst {4}}} \
      [get_bd_intf_pins noc/$slave]
    tessera_bus dma/[lindex $memories $n] noc/$slave
  }
  set_property CONFIG.ASSOCIATED_BUSIF [join $slaves :] [get_bd_pins noc/aclk0]
  tessera_net ps/pl0_ref_clk noc/aclk0
  make_bd_intf_pins_external [get_bd_intf_pins noc/CH0_DDR4_0]
  make_bd_intf_pins_external [get_bd_intf_pins noc/sys_clk0]
}
tessera_net dma/@INTERRUPT@ ps/pl_ps_irq0
tessera_finish ps/M_AXI_FPD
