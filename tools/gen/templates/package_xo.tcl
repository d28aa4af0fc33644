# Packages @NAME@_kernel as an RTL kernel, vitis/@NAME@_kernel.xo:
#   vivado -mode batch -source vitis/package_xo.tcl [-tclargs PART]
# Link it with v++ -l --connectivity.sp and --connectivity.sc; the host @HOST@.
@PROJECT@
update_compile_order -fileset sources_1

set packaged [file join $here vitis ip]
ipx::package_project -root_dir $packaged -vendor @VENDOR@ -library kernel -taxonomy /KernelIP -import_files -force
set core [ipx::current_core]
set_property name @NAME@_kernel $core
set_property version 1.0 $core
set_property core_revision 1 $core
set_property sdx_kernel true $core
set_property sdx_kernel_type rtl $core
set_property vitis_drc {ctrl_protocol @PROTOCOL@} $core
set_property ipi_drc {ignore_freq_hz true} $core
foreach {clock reset associated} $clocks {
  foreach bus $associated {
    if {[llength [ipx::get_bus_interfaces $bus -of_objects $core]] == 0} { error "@NAME@_kernel: interface $bus is missing" }
    ipx::associate_bus_interfaces -busif $bus -clock $clock $core
  }
  ipx::associate_bus_interfaces -clock $clock -reset $reset $core
}
if {[llength [ipx::get_memory_maps s_axi_control -of_objects $core]] == 0} {
  ipx::add_memory_map s_axi_control $core
  ipx::add_address_block reg0 [ipx::get_memory_maps s_axi_control -of_objects $core]
}
set_property slave_memory_map_ref s_axi_control [ipx::get_bus_interfaces s_axi_control -of_objects $core]
set block [ipx::get_address_blocks reg0 -of_objects [ipx::get_memory_maps s_axi_control -of_objects $core]]
set_property range @SPAN@ $block
ipx::create_xgui_files $core
ipx::update_checksums $core
ipx::check_integrity -kernel -xrt $core
ipx::save_core $core
package_xo -force -xo_path [file join $here vitis @NAME@_kernel.xo] -kernel_name @NAME@_kernel \
  -kernel_xml [file join $here vitis kernel.xml] -ip_directory $packaged -ctrl_protocol @PROTOCOL@
close_project
