set here [file dirname [file dirname [file normalize [info script]]]]
set part [expr {[llength $argv] > 0 ? [lindex $argv 0] : "@PART@"}]
set sources {
@SOURCES@
}
set headers {@HEADERS@}
set clocks {@CLOCKS@}
set project [list create_project -force -in_memory @TOP@_project]
if {$part ne ""} { lappend project -part $part }
{*}$project
foreach source [concat $headers $sources] { add_files -norecurse -fileset sources_1 [file join $here $source] }
set_property file_type SystemVerilog [get_files -of_objects [get_filesets sources_1] *.sv]
set_property file_type {Verilog Header} [get_files -of_objects [get_filesets sources_1] *.svh]
set_property include_dirs [list@INCLUDES@] [get_filesets sources_1]
set_property top @TOP@ [get_filesets sources_1]
add_files -norecurse -fileset constrs_1 [file join $here constraints/@NAME@_crossings.xdc]
set_property PROCESSING_ORDER LATE [get_files @NAME@_crossings.xdc]
