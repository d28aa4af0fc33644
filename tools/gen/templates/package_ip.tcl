# Packages @NAME@ for the IP catalogue of Vivado, into vivado/ip of this folder:
#   vivado -mode batch -source vivado/package_ip.tcl [-tclargs PART]
# Interfaces follow from the attributes in rtl/@NAME@.v; this script adds what attributes cannot say and refuses to
# save a core that lacks one of them.
@PROJECT@
set busses {@BUSSES@}
set slaves {@SLAVES@}
set interrupts {@INTERRUPTS@}
add_files -norecurse -fileset constrs_1 [file join $here constraints/@NAME@_ooc.xdc]
set_property USED_IN {synthesis implementation out_of_context} [get_files @NAME@_ooc.xdc]
update_compile_order -fileset sources_1

ipx::package_project -root_dir [file join $here vivado ip] -vendor @VENDOR@ -library @LIBRARY@ -taxonomy /UserIP \
  -import_files -force
set core [ipx::current_core]
set_property name @NAME@ $core
set_property display_name {@NAME@ (Tessera tensor DMA)} $core
set_property description {@ABOUT@} $core
set_property version @VERSION@ $core
set_property supported_families {virtex7 Production kintex7 Production artix7 Production zynq Production kintexu Production virtexu Production kintexuplus Production virtexuplus Production zynquplus Production versal Production} $core

foreach name [concat $busses $interrupts] {
  if {[llength [ipx::get_bus_interfaces $name -of_objects $core]] == 0} { error "@NAME@: interface $name is missing" }
}
foreach {clock reset associated} $clocks {
  foreach bus $associated { ipx::associate_bus_interfaces -busif $bus -clock $clock $core }
  ipx::associate_bus_interfaces -clock $clock -reset $reset $core
}
foreach {bus name span width usage} $slaves {
  if {[llength [ipx::get_memory_maps $bus -of_objects $core]] == 0} {
    ipx::add_memory_map $bus $core
    ipx::add_address_block $name [ipx::get_memory_maps $bus -of_objects $core]
  }
  set_property slave_memory_map_ref $bus [ipx::get_bus_interfaces $bus -of_objects $core]
  set block [lindex [ipx::get_address_blocks -of_objects [ipx::get_memory_maps $bus -of_objects $core]] 0]
  set_property base_address 0 $block
  set_property range $span $block
  set_property width $width $block
  set_property usage $usage $block
}
ipx::create_xgui_files $core
ipx::update_checksums $core
ipx::check_integrity $core
ipx::save_core $core
close_project
