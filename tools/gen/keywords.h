// The keywords of SystemVerilog (IEEE 1800-2017), C++20 and VHDL-2008 in lower case.
#pragma once

#include <string_view>

namespace tessera::gen {

inline constexpr std::string_view kKeywords = R"(
abs accept_on access after alias alignas alignof all always always_comb always_ff always_latch and
and_eq architecture array asm assert assign assume assume_guarantee attribute auto automatic
before begin bind bins binsof bit bitand bitor block body bool break buf buffer bufif0 bufif1 bus
byte case casex casez catch cell chandle char char16_t char32_t char8_t checker class clocking
cmos co_await co_return co_yield compl component concept config configuration const const_cast
constant consteval constexpr constinit constraint context continue cover covergroup coverpoint
cross deassign decltype default defparam delete design disable disconnect dist do double downto
dynamic_cast edge else elsif end endcase endchecker endclass endclocking endconfig endfunction
endgenerate endgroup endinterface endmodule endpackage endprimitive endprogram endproperty
endsequence endspecify endtable endtask entity enum event eventually exit expect explicit export
extends extern fairness false file final first_match float for force foreach forever fork forkjoin
friend function generate generic genvar global goto group guarded highz0 highz1 if iff ifnone
ignore_bins illegal_bins implements implies import impure in incdir include inertial initial
inline inout input inside instance int integer interconnect interface intersect is join join_any
join_none label large let liblist library linkage literal local localparam logic long longint loop
macromodule map matches medium mod modport module mutable namespace nand negedge nettype new next
nexttime nmos noexcept nor noshowcancelled not not_eq notif0 notif1 null nullptr of on open
operator or or_eq others out output package packed parameter pmos port posedge postponed primitive
priority private procedure process program property protected public pull0 pull1 pulldown pullup
pulsestyle_ondetect pulsestyle_onevent pure rand randc randcase randsequence range rcmos real
realtime record ref reg register reinterpret_cast reject reject_on release rem repeat report
requires restrict restrict_guarantee return rnmos rol ror rpmos rtran rtranif0 rtranif1 s_always
s_eventually s_nexttime s_until s_until_with scalared select sequence severity shared short
shortint shortreal showcancelled signal signed sizeof sla sll small soft solve specify specparam
sra srl static static_assert static_cast string strong strong0 strong1 struct subtype super
supply0 supply1 switch sync_accept_on sync_reject_on table tagged task template then this
thread_local throughout throw time timeprecision timeunit to tran tranif0 tranif1 transport tri
tri0 tri1 triand trior trireg true try type typedef typeid typename unaffected union unique
unique0 units unsigned until until_with untyped use using uwire var variable vectored virtual
vmode void volatile vprop vunit wait wait_order wand wchar_t weak weak0 weak1 when while wildcard
wire with within wor xnor xor xor_eq
)";

}  // namespace tessera::gen
