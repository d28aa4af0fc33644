# What the block designs of @NAME@ share. Each makes a project in vivado/design_* with @NAME@ from vivado/ip; run
# vivado/package_ip.tcl first.
set here [file dirname [file dirname [file normalize [info script]]]]
set mhz @MHZ@
set stream_mhz {@STREAM_MHZ@}
set stream_clock {@STREAM_CLOCK@}
set memories {@MEMORIES@}
set loops {@LOOPS@}
set lone {@LONE@}
set base @BASE@
set span @SPAN@
# What processors reach: registers and, if there is one, the on-chip buffer.
set slaves {dma/@REGISTER_BUS@}
foreach buffer {@BUFFERS@} { lappend slaves dma/$buffer }

proc tessera_project {name part} {
  global here
  set project [list create_project -force $name [file join $here vivado $name]]
  if {$part ne ""} { lappend project -part $part }
  {*}$project
  set_property ip_repo_paths [list [file join $here vivado ip]] [current_project]
  update_ip_catalog -rebuild
  create_bd_design system
}

# A cell of the newest version of an IP, with properties.
proc tessera_cell {vendor library kind name args} {
  set found [get_ipdefs -all -filter "VLNV =~ $vendor:$library:$kind:* && UPGRADE_VERSIONS == \"\""]
  if {[llength $found] == 0} { error "the IP catalogue has no $vendor:$library:$kind" }
  set cell [create_bd_cell -type ip -vlnv [lindex $found 0] $name]
  if {[llength $args] != 0} { set_property -dict $args $cell }
  return $cell
}

proc tessera_net {from args} {
  foreach to $args { connect_bd_net [get_bd_pins $from] [get_bd_pins $to] }
}

proc tessera_bus {from to} { connect_bd_intf_net [get_bd_intf_pins $from] [get_bd_intf_pins $to] }

# The DMA with its clocks and resets; streams go round through FIFOs, one from memory to one to memory. Streams that
# are left over become ports of the design.
proc tessera_dma {clock reset} {
  global mhz stream_mhz stream_clock loops lone
  tessera_cell @VENDOR@ @LIBRARY@ @NAME@ dma
  tessera_net $clock dma/@CLOCK@
  tessera_net $reset dma/@RESET@
  set stream_net $clock
  set stream_reset $reset
  if {$stream_clock ne ""} {
    tessera_cell xilinx.com ip clk_wiz stream_clock CONFIG.PRIM_IN_FREQ $mhz CONFIG.CLKOUT1_REQUESTED_OUT_FREQ $stream_mhz \
      CONFIG.USE_RESET false
    tessera_cell xilinx.com ip proc_sys_reset stream_reset
    tessera_net $clock stream_clock/clk_in1
    tessera_net stream_clock/clk_out1 stream_reset/slowest_sync_clk
    tessera_net stream_clock/locked stream_reset/dcm_locked
    tessera_net $reset stream_reset/ext_reset_in
    set stream_net stream_clock/clk_out1
    set stream_reset stream_reset/peripheral_aresetn
    tessera_net $stream_net dma/[lindex $stream_clock 0]
    tessera_net $stream_reset dma/[lindex $stream_clock 1]
  }
  foreach {from to} $loops {
    tessera_cell xilinx.com ip axis_data_fifo fifo_$from CONFIG.FIFO_DEPTH 512 CONFIG.HAS_TKEEP 1 CONFIG.HAS_TLAST 1
    tessera_net $stream_net fifo_$from/s_axis_aclk
    tessera_net $stream_reset fifo_$from/s_axis_aresetn
    tessera_bus dma/$from fifo_$from/S_AXIS
    tessera_bus fifo_$from/M_AXIS dma/$to
  }
  foreach stream $lone { make_bd_intf_pins_external [get_bd_intf_pins dma/$stream] }
}

# So many masters to so many slaves.
proc tessera_connect {name masters slaves clock reset} {
  tessera_cell xilinx.com ip smartconnect $name CONFIG.NUM_SI [llength $masters] CONFIG.NUM_MI [llength $slaves]
  tessera_net $clock $name/aclk
  tessera_net $reset $name/aresetn
  set n 0
  foreach master $masters { tessera_bus $master $name/[format S%02d_AXI $n]; incr n }
  set n 0
  foreach slave $slaves { tessera_bus $name/[format M%02d_AXI $n] $slave; incr n }
}

proc tessera_finish {space} {
  global base span
  assign_bd_address -target_address_space [get_bd_addr_spaces $space] -offset $base -range $span \
    [get_bd_addr_segs dma/@REGISTER_BUS@/*] -force
  foreach buffer {@BUFFERS@} {
    assign_bd_address -target_address_space [get_bd_addr_spaces $space] -offset @BUFFER_BASE@ -range @BUFFER_SPAN@ \
      [get_bd_addr_segs dma/$buffer/*] -force
  }
  assign_bd_address
  validate_bd_design
  save_bd_design
  set file [get_files system.bd]
  make_wrapper -files $file -top -import
  close_project
}
