# A block design of @NAME@ with a Zynq UltraScale+: registers on M_AXI_HPM0_FPD, memory on S_AXI_HP0_FPD.
#   vivado -mode batch -source vivado/bd_zynq.tcl [-tclargs PART]
source [file join [file dirname [file normalize [info script]]] bd_common.tcl]
tessera_project design_zynq [expr {[llength $argv] > 0 ? [lindex $argv 0] : "@PART@"}]

tessera_cell xilinx.com ip zynq_ultra_ps_e ps CONFIG.PSU__USE__M_AXI_GP0 1 CONFIG.PSU__USE__M_AXI_GP1 0 \
  CONFIG.PSU__USE__M_AXI_GP2 0 CONFIG.PSU__USE__S_AXI_GP2 1 CONFIG.PSU__SAXIGP2__DATA_WIDTH 128 \
  CONFIG.PSU__USE__IRQ0 1 CONFIG.PSU__FPGA_PL0_ENABLE 1 CONFIG.PSU__CRL_APB__PL0_REF_CTRL__FREQMHZ $mhz
tessera_cell xilinx.com ip proc_sys_reset reset
tessera_net ps/pl_clk0 ps/maxihpm0_fpd_aclk ps/saxihp0_fpd_aclk reset/slowest_sync_clk
tessera_net ps/pl_resetn0 reset/ext_reset_in
tessera_dma ps/pl_clk0 reset/peripheral_aresetn
tessera_connect control ps/M_AXI_HPM0_FPD $slaves ps/pl_clk0 reset/peripheral_aresetn
set masters {}
foreach memory $memories { lappend masters dma/$memory }
if {[llength $masters] > 0} { tessera_connect memory $masters ps/S_AXI_HP0_FPD ps/pl_clk0 reset/peripheral_aresetn }
tessera_net dma/@INTERRUPT@ ps/pl_ps_irq0
tessera_finish ps/Data
