# Stands in for Vivado: knows the commands that generated scripts use and their options, refuses all others, and
# records what it is told.
#   tclsh vivado_stub.tcl DESIGN RECORD SCRIPT [ARGUMENT...]
# DESIGN holds lines of facts: `port NAME`, `interface NAME BUS CLOCK`, `clock NAME RESET`, `cell NAME` (of the
# netlist), `vlnv NAME`. RECORD gets a line for each fact that the caller compares with the design.
# Vivado itself ends a script at the first error; so does this.

namespace eval stub {}
set ::stub::facts [open [lindex $argv 0]]
set ::stub::record [open [lindex $argv 1] w]
set script [lindex $argv 2]
set argv [lrange $argv 3 end]
foreach kind {port interface clock cell vlnv} { set ::stub::known($kind) {} }
while {[gets $::stub::facts line] >= 0} { lappend ::stub::known([lindex $line 0]) [lrange $line 1 end] }
close $::stub::facts
set ::stub::ports [lmap port $::stub::known(port) { lindex $port 0 }]
set ::stub::busses [lmap bus $::stub::known(interface) { lindex $bus 0 }]
proc note {args} { puts $::stub::record [join $args " "] }

# ---- Commands and their options -----------------------------------------------------------------------------------

# Options: a name with `!` takes a value. Positions: least and most.
proc command {name options least most {body {}}} {
  set wrapper [format {
    set given [dict create]
    set rest {}
    for {set n 0} {$n < [llength $args]} {incr n} {
      set word [lindex $args $n]
      if {[string match {-[a-z]*} $word]} {
        set option [string range $word 1 end]
        if {"$option!" in {%2$s}} { incr n; dict set given $option [lindex $args $n]
        } elseif {$option in {%2$s}} { dict set given $option 1
        } else { error "%1$s has no option '$word'" }
      } else { lappend rest $word }
    }
    if {[llength $rest] < %3$d || [llength $rest] > %4$d} { error "%1$s: [llength $rest] arguments; legal are %3$d to %4$d: $args" }
    %5$s
  } $name $options $least $most $body]
  proc ::$name {args} $wrapper
}
proc option {given name {other ""}} { if {[dict exists $given $name]} { return [dict get $given $name] }; return $other }

set ::stub::files(sources_1) {}
set ::stub::files(constrs_1) {}
command create_project {force in_memory part!} 0 2 { note project [lindex $rest 0] [option $given part] }
command current_project {quiet} 0 0 { return project }
command close_project {delete} 0 0 { note closed }
command add_files {norecurse fileset! quiet scan_for_includes} 1 1 {
  set set [option $given fileset sources_1]
  if {![info exists ::stub::files($set)]} { error "there is no file set $set" }
  foreach file [lindex $rest 0] {
    if {![file isfile $file]} { error "there is no file $file" }
    if {$file in $::stub::files($set)} { error "$file is added twice" }
    lappend ::stub::files($set) $file
    note file $set $file
  }
}
command get_filesets {quiet} 1 1 {
  if {![info exists ::stub::files([lindex $rest 0])]} { error "there is no file set [lindex $rest 0]" }
  return [lindex $rest 0]
}
command get_files {of_objects! quiet} 1 1 {
  set found {}
  foreach set [array names ::stub::files] {
    if {[option $given of_objects $set] ne $set} continue
    foreach file $::stub::files($set) { if {[string match "*[lindex $rest 0]" $file]} { lappend found $file } }
  }
  if {[info exists ::stub::bd] && [lindex $rest 0] eq "system.bd"} { lappend found system.bd }
  if {[llength $found] == 0} { error "no file matches [lindex $rest 0]" }
  return $found
}
command update_compile_order {fileset!} 0 0
command update_ip_catalog {rebuild} 0 0
command make_wrapper {files! top import} 0 0

# ---- Properties ---------------------------------------------------------------------------------------------------

array set ::stub::properties {
  file {file_type PROCESSING_ORDER USED_IN}
  fileset {include_dirs top}
  project {ip_repo_paths}
  core {name display_name description version vendor library supported_families core_revision sdx_kernel
        sdx_kernel_type vitis_drc ipi_drc}
  bus {slave_memory_map_ref}
  block {base_address range width usage}
  pin {CONFIG.ASSOCIATED_BUSIF CONFIG.POLARITY}
  intf {CONFIG.CONNECTIONS}
  pblock {CONTAIN_ROUTING}
}
# Properties of the IPs of the catalogue.
array set ::stub::configuration {
  zynq_ultra_ps_e {PSU__USE__M_AXI_GP0 PSU__USE__M_AXI_GP1 PSU__USE__M_AXI_GP2 PSU__USE__S_AXI_GP2 PSU__SAXIGP2__DATA_WIDTH
    PSU__USE__IRQ0 PSU__FPGA_PL0_ENABLE PSU__CRL_APB__PL0_REF_CTRL__FREQMHZ}
  versal_cips {PS_PMC_CONFIG}
  axi_noc {NUM_SI NUM_MI NUM_MC NUM_CLKS}
  smartconnect {NUM_SI NUM_MI NUM_CLKS}
  proc_sys_reset {}
  clk_wiz {PRIM_IN_FREQ CLKOUT1_REQUESTED_OUT_FREQ USE_RESET}
  axis_data_fifo {FIFO_DEPTH HAS_TKEEP HAS_TLAST}
  microblaze {C_USE_DCACHE C_USE_ICACHE C_D_AXI C_D_LMB C_I_LMB C_USE_INTERRUPT}
  axi_bram_ctrl {SINGLE_PORT_BRAM DATA_WIDTH}
  blk_mem_gen {}
}
# Pins and interfaces of the same; NN counts.
array set ::stub::pins_of {
  zynq_ultra_ps_e {pl_clk0 pl_resetn0 maxihpm0_fpd_aclk saxihp0_fpd_aclk pl_ps_irq0}
  versal_cips {pl0_ref_clk pl0_resetn m_axi_fpd_aclk pl_ps_irq0}
  axi_noc {aclk0} smartconnect {aclk aresetn}
  proc_sys_reset {slowest_sync_clk ext_reset_in dcm_locked peripheral_aresetn interconnect_aresetn}
  clk_wiz {clk_in1 clk_out1 locked} axis_data_fifo {s_axis_aclk s_axis_aresetn}
  microblaze {Clk Reset} axi_bram_ctrl {s_axi_aclk s_axi_aresetn} blk_mem_gen {}
}
array set ::stub::busses_of {
  zynq_ultra_ps_e {M_AXI_HPM0_FPD S_AXI_HP0_FPD} versal_cips {M_AXI_FPD} axi_noc {SNN_AXI CH0_DDR4_0 sys_clk0}
  smartconnect {SNN_AXI MNN_AXI} proc_sys_reset {} clk_wiz {} axis_data_fifo {S_AXIS M_AXIS} microblaze {M_AXI_DP}
  axi_bram_ctrl {S_AXI BRAM_PORTA} blk_mem_gen {BRAM_PORTA}
}

proc kind_of {object} {
  if {$object in {sources_1 constrs_1}} { return fileset }
  if {[file isfile $object]} { return file }
  foreach kind {core project} { if {$object eq $kind} { return $kind } }
  foreach kind {bus block map pin intf cell pblock port} { if {[string match "$kind:*" $object]} { return $kind } }
  error "set_property: '$object' is no object"
}
proc set_one {name value object} {
  set kind [kind_of $object]
  if {$kind eq "cell"} {
    set ip $::stub::cells([string range $object 5 end])
    if {![string match CONFIG.* $name] || [string range $name 7 end] ni $::stub::configuration($ip)} { error "$ip has no property $name" }
  } elseif {$kind eq "port"} {
    if {$name ne "CONFIG.POLARITY"} { error "a port has no property $name" }
  } elseif {$name ni $::stub::properties($kind)} { error "a $kind has no property '$name'" }
  note property $kind [string map {" " _} $object] $name $value
  set ::stub::value($object,$name) $value
  if {$name eq "top" && $value ne ""} { note top $value }
}
command set_property {dict! quiet} 1 3 {
  if {[dict exists $given dict]} {
    foreach {name value} [dict get $given dict] { foreach object [lindex $rest 0] { set_one $name $value $object } }
  } else { foreach object [lindex $rest 2] { set_one [lindex $rest 0] [lindex $rest 1] $object } }
}

# ---- IP packager --------------------------------------------------------------------------------------------------

set ::stub::maps {}
set ::stub::blocks {}
namespace eval ipx {}
command ipx::package_project {root_dir! vendor! library! taxonomy! import_files force set_current!} 0 0 {
  note packaged [option $given vendor] [option $given library] [option $given root_dir]
}
command ipx::current_core {} 0 0 { return core }
command ipx::get_bus_interfaces {of_objects! quiet} 0 1 {
  set name [lindex $rest 0]
  if {$name in $::stub::busses} { return bus:$name }
  return {}
}
command ipx::associate_bus_interfaces {busif! clock! reset!} 1 1 {
  set clocks [lmap clock $::stub::known(clock) { lindex $clock 0 }]
  if {[dict exists $given clock] && [option $given clock] ni $clocks} { error "there is no clock [option $given clock]" }
  if {[dict exists $given busif] && [option $given busif] ni $::stub::busses} { error "there is no interface [option $given busif]" }
  if {[dict exists $given reset] && [option $given reset] ni $::stub::ports} { error "there is no port [option $given reset]" }
  note associate [option $given busif -] [option $given clock -] [option $given reset -]
}
command ipx::get_memory_maps {of_objects!} 1 1 { if {[lindex $rest 0] in $::stub::maps} { return map:[lindex $rest 0] }; return {} }
command ipx::add_memory_map {} 2 2 { lappend ::stub::maps [lindex $rest 0]; return map:[lindex $rest 0] }
command ipx::add_address_block {} 2 2 { lappend ::stub::blocks [list [lindex $rest 1] [lindex $rest 0]]; return block:[lindex $rest 0] }
command ipx::get_address_blocks {of_objects!} 0 1 {
  set found {}
  foreach block $::stub::blocks {
    lassign $block map name
    if {$map eq [option $given of_objects] && [string match [lindex [concat $rest *] 0] $name]} { lappend found block:$map/$name }
  }
  return $found
}
command ipx::create_xgui_files {} 1 1
command ipx::update_checksums {} 1 1
command ipx::check_integrity {kernel xrt quiet} 1 1 { note checked }
command ipx::save_core {} 1 1 { note saved }
command package_xo {force xo_path! kernel_name! kernel_xml! ip_directory! ctrl_protocol! kernel_files!} 0 0 {
  foreach needed {xo_path kernel_name kernel_xml ip_directory} { if {![dict exists $given $needed]} { error "package_xo lacks -$needed" } }
  if {![file isfile [option $given kernel_xml]]} { error "there is no file [option $given kernel_xml]" }
  if {[option $given ctrl_protocol] ni {user_managed ap_ctrl_hs ap_ctrl_chain ap_ctrl_none}} { error "package_xo: no protocol" }
  note xo [option $given kernel_name]
}

# ---- Block designs ------------------------------------------------------------------------------------------------

array set ::stub::cells {}
array set ::stub::joined {}
command create_bd_design {} 1 1 { set ::stub::bd [lindex $rest 0]; note design $::stub::bd }
command get_ipdefs {all filter! quiet} 0 1 {
  if {![regexp {^VLNV =~ (\S+) && UPGRADE_VERSIONS == ""$} [option $given filter] all pattern]} { error "get_ipdefs: filter [option $given filter]" }
  set found {}
  foreach ip [array names ::stub::configuration] {
    if {[string match $pattern xilinx.com:ip:$ip:1.0]} { lappend found xilinx.com:ip:$ip:1.0 }
  }
  foreach vlnv $::stub::known(vlnv) { if {[string match $pattern $vlnv]} { lappend found $vlnv } }
  return $found
}
command create_bd_cell {type! vlnv!} 1 1 {
  set name [lindex $rest 0]
  if {[info exists ::stub::cells($name)]} { error "the cell $name is there twice" }
  set ::stub::cells($name) [lindex [split [option $given vlnv] :] 2]
  note bd_cell $name [option $given vlnv]
  return cell:$name
}
command get_bd_cells {quiet hierarchical} 1 1 { if {![info exists ::stub::cells([lindex $rest 0])]} { error "no cell [lindex $rest 0]" }; return cell:[lindex $rest 0] }
proc counted {name patterns cell} {
  foreach pattern $patterns {
    if {$name eq $pattern} { return 1 }
    if {[string match *NN* $pattern] && [regexp "^[string map {NN (\\d\\d)} $pattern]\$" $name all number]} {
      set most [expr {[string index $pattern 0] eq "S" ? "NUM_SI" : "NUM_MI"}]
      scan $number %d number
      return [expr {[info exists ::stub::value(cell:$cell,CONFIG.$most)] && $number < $::stub::value(cell:$cell,CONFIG.$most)}]
    }
  }
  return 0
}
command get_bd_pins {quiet} 1 1 {
  lassign [split [lindex $rest 0] /] cell pin
  if {![info exists ::stub::cells($cell)]} { error "there is no cell $cell" }
  set kind $::stub::cells($cell)
  set legal [expr {[info exists ::stub::pins_of($kind)] ? $::stub::pins_of($kind) : $::stub::ports}]
  if {$pin ni $legal} { error "$kind has no pin $pin" }
  return pin:$cell/$pin
}
command get_bd_intf_pins {quiet} 1 1 {
  lassign [split [lindex $rest 0] /] cell bus
  if {![info exists ::stub::cells($cell)]} { error "there is no cell $cell" }
  set kind $::stub::cells($cell)
  set good [expr {[info exists ::stub::busses_of($kind)] ? [counted $bus $::stub::busses_of($kind) $cell] : $bus in $::stub::busses}]
  if {!$good} { error "$kind has no interface $bus" }
  return intf:$cell/$bus
}
command create_bd_port {dir! type! freq_hz! from! to!} 1 1 { set ::stub::bd_ports([lindex $rest 0]) 1; return port:[lindex $rest 0] }
command get_bd_ports {quiet} 1 1 { if {![info exists ::stub::bd_ports([lindex $rest 0])]} { error "no port [lindex $rest 0]" }; return port:[lindex $rest 0] }
command connect_bd_net {net!} 2 99 { foreach end $rest { note net $end; set ::stub::joined($end) 1 } }
command connect_bd_intf_net {} 2 2 {
  foreach end $rest {
    if {[info exists ::stub::joined($end)]} { error "$end is connected twice" }
    set ::stub::joined($end) 1
    note intf $end
  }
}
command make_bd_intf_pins_external {} 1 1 { note external [lindex $rest 0]; set ::stub::joined([lindex $rest 0]) 1 }
command apply_bd_automation {rule! config!} 1 1 { note automation [option $given rule] }
command get_bd_addr_spaces {quiet} 1 1 {
  set cell [lindex [split [lindex $rest 0] /] 0]
  if {![info exists ::stub::cells($cell)]} { error "there is no cell $cell" }
  return space:[lindex $rest 0]
}
command get_bd_addr_segs {quiet} 1 1 {
  lassign [split [lindex $rest 0] /] cell bus
  if {![info exists ::stub::cells($cell)] || $bus ni $::stub::busses} { error "there is no segment [lindex $rest 0]" }
  return seg:[lindex $rest 0]
}
command assign_bd_address {target_address_space! offset! range! force} 0 1 { note address [option $given offset -] [option $given range -] }
command validate_bd_design {force} 0 0 { note validated }
command save_bd_design {} 0 0 { note saved }

# ---- Constraints --------------------------------------------------------------------------------------------------

command create_clock {name! period! waveform! add} 1 1 { note constrained_clock [lindex $rest 0] [option $given period] }
command get_ports {quiet} 1 1 { if {[lindex $rest 0] ni $::stub::ports} { error "there is no port [lindex $rest 0]" }; return [lindex $rest 0] }
command get_cells {hierarchical filter! quiet regexp} 0 1 {
  if {![regexp {^NAME =~ (\S+)$} [option $given filter] all pattern]} { error "get_cells: filter [option $given filter]" }
  # Brackets of a filter are brackets.
  set glob [string map {\[ \\[ \] \\]} $pattern]
  set found [lsearch -all -inline -glob [lmap cell $::stub::known(cell) { lindex $cell 0 }] $glob]
  if {[llength $found] == 0} { error "no cell matches $pattern" }
  note cells [llength $found] $pattern
  return $found
}
proc both {command given} {
  foreach end {from to} { if {![dict exists $given $end] || [llength [dict get $given $end]] == 0} { error "$command lacks -$end" } }
}
command set_max_delay {datapath_only from! to!} 1 1 { both set_max_delay $given; note max_delay [lindex $rest 0] }
command set_bus_skew {from! to!} 1 1 { both set_bus_skew $given; note bus_skew [lindex $rest 0] }
command set_false_path {from! to!} 0 0 { note false_path }
command create_pblock {} 1 1 { set ::stub::pblocks([lindex $rest 0]) 1 }
command get_pblocks {} 1 1 { if {![info exists ::stub::pblocks([lindex $rest 0])]} { error "no pblock [lindex $rest 0]" }; return pblock:[lindex $rest 0] }
command add_cells_to_pblock {quiet} 2 2 { if {[llength [lindex $rest 1]] == 0} { error "no cells for [lindex $rest 0]" }; note placed [llength [lindex $rest 1]] }
command resize_pblock {add!} 1 1 { note resized [option $given add] }

if {[catch {source $script} told options]} {
  puts stderr "$told\n[dict get $options -errorinfo]"
  exit 1
}
note end
close $::stub::record
