# Made by scripts/sources from rtl/sources.json.
# Packages tessera_dma with all its parameters for the IP catalogue of Vivado:
#   vivado -mode batch -source packaging/vivado.tcl -tclargs ip_repo/tessera_dma [PART]
# Vivado groups pins of a top with one port and one stream each way into interfaces. For any other build, with an
# interface a port, run `tessera gen`.
set here [file dirname [file dirname [file normalize [info script]]]]
set out [file normalize [expr {[llength $argv] > 0 ? [lindex $argv 0] : "ip_repo/tessera_dma"}]]
set part [expr {[llength $argv] > 1 ? [lindex $argv 1] : ""}]
set sources {
  rtl/pkg/gen/tsr_descriptor_pkg.sv
  rtl/pkg/tsr_dma_pkg.sv
  rtl/pkg/tsr_packet_pkg.sv
  rtl/core/tsr_core_pkg.sv
  rtl/frontend/native/gen/tsr_registers_pkg.sv
  rtl/pkg/tsr_channel_pkg.sv
  rtl/pkg/tsr_fabric_pkg.sv
  rtl/pkg/tsr_pkg.sv
  rtl/onchip/tsr_onchip_pkg.sv
  rtl/pkg/tsr_register_pkg.sv
  rtl/port/tsr_port_pkg.sv
  rtl/program/tsr_prep_pkg.sv
  rtl/program/tsr_prep_program_pkg.sv
  rtl/program/tsr_program_pkg.sv
  rtl/list/tsr_list_unit_pkg.sv
  rtl/frontend/native/tsr_cause_pkg.sv
  rtl/prim/tsr_fifo.sv
  rtl/prim/tsr_fifo_async.sv
  rtl/prim/tsr_memory.sv
  rtl/prim/tsr_restart.sv
  rtl/prim/tsr_room.sv
  rtl/prim/tsr_round_robin.sv
  rtl/prim/tsr_skid.sv
  rtl/prim/tsr_slice.sv
  rtl/prim/tsr_sync.sv
  rtl/core/tsr_by_channel.sv
  rtl/core/tsr_nest.sv
  rtl/core/tsr_pieces.sv
  rtl/core/tsr_plan.sv
  rtl/core/tsr_plan_room.sv
  rtl/core/tsr_plan_turn.sv
  rtl/core/tsr_read_buffer.sv
  rtl/core/tsr_read_ends.sv
  rtl/core/tsr_read_flight.sv
  rtl/core/tsr_read_items.sv
  rtl/core/tsr_read_lanes.sv
  rtl/core/tsr_read_words.sv
  rtl/core/tsr_reader.sv
  rtl/core/tsr_rows.sv
  rtl/core/tsr_swapped.sv
  rtl/core/tsr_turn_lanes.sv
  rtl/core/tsr_write_buffer.sv
  rtl/core/tsr_write_choose.sv
  rtl/core/tsr_write_ends.sv
  rtl/core/tsr_write_items.sv
  rtl/core/tsr_write_plan.sv
  rtl/core/tsr_write_side.sv
  rtl/core/tsr_write_stop.sv
  rtl/core/tsr_write_takes.sv
  rtl/core/tsr_write_words.sv
  rtl/core/tsr_writer.sv
  rtl/port/tsr_port_count.sv
  rtl/port/tsr_port_gate.sv
  rtl/port/tsr_port_levels.sv
  rtl/port/tsr_port_windows.sv
  rtl/port/tsr_read_port.sv
  rtl/port/tsr_watchdog.sv
  rtl/port/tsr_write_port.sv
  rtl/program/tsr_channel_stop.sv
  rtl/program/tsr_control_packets.sv
  rtl/program/tsr_counter_bank.sv
  rtl/program/tsr_counters.sv
  rtl/program/tsr_dma_engine.sv
  rtl/program/tsr_due_memory.sv
  rtl/program/tsr_engine_port.sv
  rtl/program/tsr_event_port.sv
  rtl/program/tsr_launch.sv
  rtl/program/tsr_launch_memory.sv
  rtl/program/tsr_lock_bank.sv
  rtl/program/tsr_lock_port.sv
  rtl/program/tsr_pair_control.sv
  rtl/program/tsr_pick.sv
  rtl/program/tsr_pick_channel.sv
  rtl/program/tsr_pick_late.sv
  rtl/program/tsr_prep_control.sv
  rtl/program/tsr_prep_errors.sv
  rtl/program/tsr_prep_flags.sv
  rtl/program/tsr_prep_memory.sv
  rtl/program/tsr_prep_output.sv
  rtl/program/tsr_prep_product.sv
  rtl/program/tsr_prep_store.sv
  rtl/program/tsr_prep_sums.sv
  rtl/program/tsr_prep_walk.sv
  rtl/program/tsr_preparation.sv
  rtl/program/tsr_program_sequencer.sv
  rtl/program/tsr_receive_turn.sv
  rtl/program/tsr_record_memory.sv
  rtl/program/tsr_retire_report.sv
  rtl/program/tsr_running.sv
  rtl/program/tsr_sequencer_view.sv
  rtl/program/tsr_task_job.sv
  rtl/program/tsr_task_look.sv
  rtl/program/tsr_task_memory.sv
  rtl/program/tsr_task_walk.sv
  rtl/program/tsr_token_queue.sv
  rtl/program/tsr_transfer_retire.sv
  rtl/program/tsr_triggers.sv
  rtl/program/tsr_walk_flags.sv
  rtl/list/tsr_list_address.sv
  rtl/list/tsr_list_answers.sv
  rtl/list/tsr_list_channels.sv
  rtl/list/tsr_list_entries.sv
  rtl/list/tsr_list_fault.sv
  rtl/list/tsr_list_fetch.sv
  rtl/list/tsr_list_index.sv
  rtl/list/tsr_list_known.sv
  rtl/list/tsr_list_permit.sv
  rtl/list/tsr_list_places.sv
  rtl/list/tsr_list_queue.sv
  rtl/list/tsr_list_rows.sv
  rtl/list/tsr_list_select.sv
  rtl/list/tsr_list_setup.sv
  rtl/list/tsr_list_unit.sv
  rtl/list/tsr_list_visit.sv
  rtl/onchip/tsr_onchip.sv
  rtl/onchip/tsr_onchip_bank.sv
  rtl/onchip/tsr_onchip_burst.sv
  rtl/onchip/tsr_onchip_ram.sv
  rtl/onchip/tsr_onchip_reader.sv
  rtl/onchip/tsr_onchip_split_read.sv
  rtl/onchip/tsr_onchip_split_write.sv
  rtl/onchip/tsr_onchip_turns.sv
  rtl/onchip/tsr_onchip_writer.sv
  rtl/frontend/native/gen/tsr_global_regs.sv
  rtl/frontend/native/tsr_axil.sv
  rtl/frontend/native/tsr_bus_share.sv
  rtl/frontend/native/tsr_channel_causes.sv
  rtl/frontend/native/tsr_channel_look.sv
  rtl/frontend/native/tsr_channel_settings.sv
  rtl/frontend/native/tsr_channel_turn.sv
  rtl/frontend/native/tsr_coalesce.sv
  rtl/frontend/native/tsr_dma_registers.sv
  rtl/frontend/native/tsr_error_info.sv
  rtl/frontend/native/tsr_native_access.sv
  rtl/frontend/native/tsr_native_channels.sv
  rtl/frontend/native/tsr_native_global.sv
  rtl/frontend/native/tsr_native_locks.sv
  rtl/frontend/native/tsr_native_onchip.sv
  rtl/frontend/native/tsr_native_packets.sv
  rtl/frontend/native/tsr_start.sv
  rtl/stream/tsr_dest_split.sv
  rtl/stream/tsr_frame_sync.sv
  rtl/stream/tsr_header_pick.sv
  rtl/stream/tsr_header_put.sv
  rtl/stream/tsr_header_take.sv
  rtl/stream/tsr_pkt_merge.sv
  rtl/stream/tsr_pkt_split.sv
  rtl/stream/tsr_reception.sv
  rtl/stream/tsr_stream_broadcast.sv
  rtl/stream/tsr_stream_cdc.sv
  rtl/stream/tsr_stream_guard.sv
  rtl/stream/tsr_stream_in.sv
  rtl/stream/tsr_stream_narrow.sv
  rtl/stream/tsr_stream_out.sv
  rtl/stream/tsr_stream_watch.sv
  rtl/stream/tsr_stream_widen.sv
  rtl/stream/tsr_stream_width.sv
  rtl/top/tessera_dma.sv
  rtl/top/tsr_dma_counters.sv
  rtl/top/tsr_dma_front.sv
  rtl/top/tsr_dma_lists.sv
  rtl/top/tsr_dma_orders.sv
  rtl/top/tsr_dma_ports.sv
  rtl/top/tsr_dma_streams.sv
  rtl/top/tsr_engine_pair.sv
}
set headers {rtl/core/tsr_core_types.svh rtl/port/tsr_port_types.svh rtl/prim/tsr_assert.svh rtl/prim/tsr_pins.svh rtl/prim/tsr_types.svh}

set paths {}
foreach source [concat $headers $sources] { lappend paths [file join $here $source] }
set project [list create_project -force tessera_package [file join $out project]]
if {$part ne ""} { lappend project -part $part }
{*}$project
add_files -norecurse -fileset sources_1 $paths
set_property file_type SystemVerilog [get_files -of_objects [get_filesets sources_1] *.sv]
set_property file_type {Verilog Header} [get_files -of_objects [get_filesets sources_1] *.svh]
set_property include_dirs [list [file join $here rtl/core] [file join $here rtl/port] [file join $here rtl/prim]] [get_filesets sources_1]
set_property top tessera_dma [get_filesets sources_1]
update_compile_order -fileset sources_1

ipx::package_project -root_dir $out -vendor tessera -library ip -taxonomy /UserIP -import_files -force
set core [ipx::current_core]
set_property name tessera_dma $core
set_property display_name {Tessera tensor DMA} $core
set_property version 0.1.0 $core
ipx::associate_bus_interfaces -clock aclk -reset aresetn $core
ipx::create_xgui_files $core
ipx::update_checksums $core
ipx::check_integrity $core
ipx::save_core $core
close_project
