# A block design of @NAME@ with a MicroBlaze and block RAM: for any device, and as a start for one without processor.
#   vivado -mode batch -source vivado/bd_microblaze.tcl [-tclargs PART]
source [file join [file dirname [file normalize [info script]]] bd_common.tcl]
tessera_project design_microblaze [expr {[llength $argv] > 0 ? [lindex $argv 0] : "@PART@"}]

create_bd_port -dir I -type clk -freq_hz [expr {int($mhz * 1000000)}] clock
create_bd_port -dir I -type rst reset_n
set_property CONFIG.POLARITY ACTIVE_LOW [get_bd_ports reset_n]
tessera_cell xilinx.com ip proc_sys_reset reset
connect_bd_net [get_bd_ports clock] [get_bd_pins reset/slowest_sync_clk]
connect_bd_net [get_bd_ports reset_n] [get_bd_pins reset/ext_reset_in]
set clock_pin reset/slowest_sync_clk
tessera_cell xilinx.com ip microblaze cpu CONFIG.C_USE_DCACHE 0 CONFIG.C_USE_ICACHE 0 CONFIG.C_D_AXI 1 CONFIG.C_D_LMB 1 \
  CONFIG.C_I_LMB 1 CONFIG.C_USE_INTERRUPT 1
apply_bd_automation -rule xilinx.com:bd_rule:microblaze -config {local_mem "64KB" ecc "None" cache "None" \
  debug_module "Debug Only" axi_periph "Disabled" axi_intc "1" clk "/clock"} [get_bd_cells cpu]
tessera_dma $clock_pin reset/peripheral_aresetn
tessera_cell xilinx.com ip axi_bram_ctrl ram_port CONFIG.SINGLE_PORT_BRAM 1 CONFIG.DATA_WIDTH @BRAM_WIDTH@
tessera_cell xilinx.com ip blk_mem_gen ram
tessera_net $clock_pin ram_port/s_axi_aclk
tessera_net reset/peripheral_aresetn ram_port/s_axi_aresetn
tessera_bus ram_port/BRAM_PORTA ram/BRAM_PORTA
set masters cpu/M_AXI_DP
foreach memory $memories { lappend masters dma/$memory }
tessera_connect system $masters [concat $slaves ram_port/S_AXI] $clock_pin reset/peripheral_aresetn
tessera_finish cpu/Data
