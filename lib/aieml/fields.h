// Fields of the registers of registers.h. Fields of kind kOneLess hold their value less one and are
// shown with it; of the address fields the unit is in the note.
#pragma once

#include <array>
#include <span>

#include "lib/aieml/registers.h"

namespace tessera::aieml {

inline constexpr Form kOneLess = Form::kOneLess, kSigned = Form::kSigned7, kHex = Form::kHex;

// ---- Descriptors of the memory tile
inline constexpr Field kMemoryBd0[] = {{"Enable_Packet", 31, 31},
                                       {"Packet_Type", 30, 28},
                                       {"Packet_ID", 27, 23},
                                       {"Out_Of_Order_BD_ID", 22, 17},
                                       {"Buffer_Length", 16, 0, Form::kPlain, "words"}};
inline constexpr Field kMemoryBd1[] = {{"D0_Zero_Before", 31, 26},
                                       {"Next_BD", 25, 20},
                                       {"Use_Next_BD", 19, 19},
                                       {"Base_Address", 18, 0, kHex, "words, in three windows"}};
inline constexpr Field kMemoryBd2[] = {
    {"TLAST_Suppress", 31, 31}, {"D0_Wrap", 26, 17}, {"D0_Step", 16, 0, kOneLess, "words"}};
inline constexpr Field kMemoryBd3[] = {
    {"D1_Zero_Before", 31, 27}, {"D1_Wrap", 26, 17}, {"D1_Step", 16, 0, kOneLess, "words"}};
inline constexpr Field kMemoryBd4[] = {{"Enable_Compression", 31, 31},
                                       {"D2_Zero_Before", 30, 27},
                                       {"D2_Wrap", 26, 17},
                                       {"D2_Step", 16, 0, kOneLess, "words"}};
inline constexpr Field kMemoryBd5[] = {{"D2_Zero_After", 31, 28},
                                       {"D1_Zero_After", 27, 23},
                                       {"D0_Zero_After", 22, 17},
                                       {"D3_Step", 16, 0, kOneLess, "words"}};
inline constexpr Field kMemoryBd6[] = {{"Iteration_Current", 28, 23},
                                       {"Iteration_Wrap", 22, 17, kOneLess},
                                       {"Iteration_Step", 16, 0, kOneLess, "words"}};
inline constexpr Field kMemoryBd7[] = {
    {"Valid_BD", 31, 31},        {"Lock_Rel_Value", 30, 24, kSigned}, {"Lock_Rel_ID", 23, 16},
    {"Lock_Acq_Enable", 15, 15}, {"Lock_Acq_Value", 14, 8, kSigned},  {"Lock_Acq_ID", 7, 0}};
inline constexpr std::array<std::span<const Field>, 8> kMemoryBd = {
    kMemoryBd0, kMemoryBd1, kMemoryBd2, kMemoryBd3, kMemoryBd4, kMemoryBd5, kMemoryBd6, kMemoryBd7};

// ---- Descriptors of the shim
inline constexpr Field kShimBd0[] = {{"Buffer_Length", 31, 0, Form::kPlain, "words"}};
inline constexpr Field kShimBd1[] = {{"Base_Address_Low", 31, 2, kHex, "words"}};
inline constexpr Field kShimBd2[] = {{"Enable_Packet", 30, 30},
                                     {"Out_Of_Order_BD_ID", 29, 24},
                                     {"Packet_ID", 23, 19},
                                     {"Packet_Type", 18, 16},
                                     {"Base_Address_High", 15, 0, kHex}};
inline constexpr Field kShimBd3[] = {
    {"Secure_Access", 30, 30}, {"D0_Wrap", 29, 20}, {"D0_Step", 19, 0, kOneLess, "words"}};
inline constexpr Field kShimBd4[] = {{"Burst_Length", 31, 30, Form::kPlain, "64 bytes << value"},
                                     {"D1_Wrap", 29, 20},
                                     {"D1_Step", 19, 0, kOneLess, "words"}};
inline constexpr Field kShimBd5[] = {{"SMID", 31, 28},
                                     {"AxCACHE", 27, 24},
                                     {"AxQoS", 23, 20},
                                     {"D2_Step", 19, 0, kOneLess, "words"}};
inline constexpr Field kShimBd6[] = {{"Iteration_Current", 31, 26},
                                     {"Iteration_Wrap", 25, 20, kOneLess},
                                     {"Iteration_Step", 19, 0, kOneLess, "words"}};
inline constexpr Field kShimBd7[] = {{"TLAST_Suppress", 31, 31},
                                     {"Next_BD", 30, 27},
                                     {"Use_Next_BD", 26, 26},
                                     {"Valid_BD", 25, 25},
                                     {"Lock_Rel_Value", 24, 18, kSigned},
                                     {"Lock_Rel_ID", 16, 13},
                                     {"Lock_Acq_Enable", 12, 12},
                                     {"Lock_Acq_Value", 11, 5, kSigned},
                                     {"Lock_Acq_ID", 3, 0}};
inline constexpr std::array<std::span<const Field>, 8> kShimBd = {
    kShimBd0, kShimBd1, kShimBd2, kShimBd3, kShimBd4, kShimBd5, kShimBd6, kShimBd7};

// ---- Descriptors of the compute tile
inline constexpr Field kComputeBd0[] = {{"Base_Address", 27, 14, kHex, "words"},
                                        {"Buffer_Length", 13, 0, Form::kPlain, "words"}};
inline constexpr Field kComputeBd1[] = {{"Enable_Compression", 31, 31},
                                        {"Enable_Packet", 30, 30},
                                        {"Out_Of_Order_BD_ID", 29, 24},
                                        {"Packet_ID", 23, 19},
                                        {"Packet_Type", 18, 16}};
inline constexpr Field kComputeBd2[] = {{"D1_Step", 25, 13, kOneLess, "words"},
                                        {"D0_Step", 12, 0, kOneLess, "words"}};
inline constexpr Field kComputeBd3[] = {
    {"D1_Wrap", 28, 21}, {"D0_Wrap", 20, 13}, {"D2_Step", 12, 0, kOneLess, "words"}};
inline constexpr Field kComputeBd4[] = {{"Iteration_Current", 24, 19},
                                        {"Iteration_Wrap", 18, 13, kOneLess},
                                        {"Iteration_Step", 12, 0, kOneLess, "words"}};
inline constexpr std::array<std::span<const Field>, 6> kComputeBd = {
    kComputeBd0, kComputeBd1, kComputeBd2, kComputeBd3, kComputeBd4, kShimBd7};

// ---- Channels
inline constexpr Field kS2mmControl[] = {{"FoT_Mode", 17, 16},
                                         {"Controller_ID", 15, 8},
                                         {"Decompression_Enable", 4, 4},
                                         {"Enable_Out_of_Order", 3, 3},
                                         {"Reset", 1, 1}};
inline constexpr Field kMm2sControl[] = {
    {"Controller_ID", 15, 8}, {"Compression_Enable", 4, 4}, {"Reset", 1, 1}};
inline constexpr Field kShimS2mmControl[] = {{"FoT_Mode", 17, 16},
                                             {"Controller_ID", 15, 8},
                                             {"Enable_Out_of_Order", 3, 3},
                                             {"Pause_Stream", 2, 2},
                                             {"Pause_Mem", 1, 1}};
inline constexpr Field kShimMm2sControl[] = {
    {"Controller_ID", 15, 8}, {"Pause_Stream", 2, 2}, {"Pause_Mem", 1, 1}};
inline constexpr Field kMemoryQueue[] = {
    {"Enable_Token_Issue", 31, 31}, {"Repeat_Count", 23, 16, kOneLess}, {"Start_BD_ID", 5, 0}};
inline constexpr Field kQueue[] = {
    {"Enable_Token_Issue", 31, 31}, {"Repeat_Count", 23, 16, kOneLess}, {"Start_BD_ID", 3, 0}};
inline constexpr Field kMemoryStatus[] = {{"Cur_BD", 29, 24},
                                          {"Task_Queue_Size", 22, 20},
                                          {"Channel_Running", 19, 19},
                                          {"Task_Queue_Overflow", 18, 18},
                                          {"Error_FoT_BDs_per_Task", 13, 13},
                                          {"Error_FoT_Length_Exceeded", 12, 12},
                                          {"Error_BD_Invalid", 11, 11},
                                          {"Error_BD_Unavailable", 10, 10},
                                          {"Error_DM_Access_to_Unavailable", 9, 9},
                                          {"Error_Lock_Access_to_Unavailable", 8, 8},
                                          {"Stalled_TCT", 5, 5},
                                          {"Stalled_Stream", 4, 4},
                                          {"Stalled_Lock_Rel", 3, 3},
                                          {"Stalled_Lock_Acq", 2, 2},
                                          {"Status", 1, 0}};
inline constexpr Field kStatus[] = {{"Cur_BD", 27, 24},
                                    {"Task_Queue_Size", 22, 20},
                                    {"Channel_Running", 19, 19},
                                    {"Task_Queue_Overflow", 18, 18},
                                    {"Error_FoT_BDs_per_Task", 13, 13},
                                    {"Error_FoT_Length_Exceeded", 12, 12},
                                    {"Error_BD_Invalid", 11, 11},
                                    {"Error_BD_Unavailable", 10, 10},
                                    {"Stalled_TCT", 5, 5},
                                    {"Stalled_Stream", 4, 4},
                                    {"Stalled_Lock_Rel", 3, 3},
                                    {"Stalled_Lock_Acq", 2, 2},
                                    {"Status", 1, 0}};
inline constexpr Field kShimStatus[] = {{"Cur_BD", 27, 24},
                                        {"Task_Queue_Size", 22, 20},
                                        {"Channel_Running", 19, 19},
                                        {"Task_Queue_Overflow", 18, 18},
                                        {"AXI_Slave_Error", 17, 17},
                                        {"AXI_Decode_Error", 16, 16},
                                        {"Error_FoT_BDs_per_Task", 13, 13},
                                        {"Error_FoT_Length_Exceeded", 12, 12},
                                        {"Error_BD_Invalid", 11, 11},
                                        {"Error_BD_Unavailable", 10, 10},
                                        {"Stalled_TCT", 5, 5},
                                        {"Stalled_Stream", 4, 4},
                                        {"Stalled_Lock_Rel", 3, 3},
                                        {"Stalled_Lock_Acq", 2, 2},
                                        {"Status", 1, 0}};
inline constexpr Field kWriteCount[] = {{"Write_Count", 17, 0, Form::kPlain, "words"}};
inline constexpr Field kCountFifo[] = {{"Valid", 31, 31},
                                       {"Last_in_Task", 30, 30},
                                       {"BD_ID", 29, 24},
                                       {"Write_Count", 17, 0, Form::kPlain, "words"}};
inline constexpr Field kEventChannels[] = {
    {"MM2S_Sel1", 26, 24}, {"MM2S_Sel0", 18, 16}, {"S2MM_Sel1", 10, 8}, {"S2MM_Sel0", 2, 0}};

// ---- Locks
inline constexpr Field kLockValue[] = {{"Lock_Value", 5, 0}};
inline constexpr Field kLockRequest[] = {{"Request_Result", 0, 0}};

// ---- Stream switch
inline constexpr Field kMasterPort[] = {{"Master_Enable", 31, 31},
                                        {"Packet_Enable", 30, 30},
                                        {"Drop_Header", 7, 7},
                                        {"Configuration", 6, 0, kHex}};
inline constexpr Field kSlavePort[] = {{"Slave_Enable", 31, 31}, {"Packet_Enable", 30, 30}};
inline constexpr Field kSlot[] = {
    {"ID", 28, 24}, {"Mask", 20, 16, kHex}, {"Enable", 8, 8}, {"Msel", 5, 4}, {"Arbit", 2, 0}};
inline constexpr Field kMux[] = {
    {"South7", 15, 14}, {"South6", 13, 12}, {"South3", 11, 10}, {"South2", 9, 8}};
inline constexpr Field kDemux[] = {
    {"South5", 11, 10}, {"South4", 9, 8}, {"South3", 7, 6}, {"South2", 5, 4}};

// ---- Events and control
inline constexpr Field kCounters7[] = {{"Cnt1_Stop_Event", 30, 24},
                                       {"Cnt1_Start_Event", 22, 16},
                                       {"Cnt0_Stop_Event", 14, 8},
                                       {"Cnt0_Start_Event", 6, 0}};
inline constexpr Field kCounters8[] = {{"CntB_Stop_Event", 31, 24},
                                       {"CntB_Start_Event", 23, 16},
                                       {"CntA_Stop_Event", 15, 8},
                                       {"CntA_Start_Event", 7, 0}};
inline constexpr Field kCoreCounters[] = {{"CntB_Stop_Event", 30, 24},
                                          {"CntB_Start_Event", 22, 16},
                                          {"CntA_Stop_Event", 14, 8},
                                          {"CntA_Start_Event", 6, 0}};
inline constexpr Field kCounterResets7[] = {{"Cnt1_Reset_Event", 14, 8},
                                            {"Cnt0_Reset_Event", 6, 0}};
inline constexpr Field kCounterResets8[] = {{"Cnt3_Reset_Event", 31, 24},
                                            {"Cnt2_Reset_Event", 23, 16},
                                            {"Cnt1_Reset_Event", 15, 8},
                                            {"Cnt0_Reset_Event", 7, 0}};
inline constexpr Field kCoreCounterResets[] = {{"Cnt3_Reset_Event", 30, 24},
                                               {"Cnt2_Reset_Event", 22, 16},
                                               {"Cnt1_Reset_Event", 14, 8},
                                               {"Cnt0_Reset_Event", 6, 0}};
inline constexpr Field kTimer7[] = {{"Reset", 31, 31}, {"Reset_Event", 14, 8}};
inline constexpr Field kTimer8[] = {{"Reset", 31, 31}, {"Reset_Event", 15, 8}};
inline constexpr Field kPorts[] = {{"Port_3_Master", 29, 29}, {"Port_3_ID", 28, 24},
                                   {"Port_2_Master", 21, 21}, {"Port_2_ID", 20, 16},
                                   {"Port_1_Master", 13, 13}, {"Port_1_ID", 12, 8},
                                   {"Port_0_Master", 5, 5},   {"Port_0_ID", 4, 0}};
// ---- Clocks, resets, isolation, memory
inline constexpr Field kShimClock0[] = {{"Ctrl_Pkt_Tlast_Error_Enable", 3, 3},
                                        {"Stream_Switch_Clock_Enable", 0, 0}};
inline constexpr Field kShimClock1[] = {{"NoC_Module_Clock_Enable", 0, 0}};
inline constexpr Field kShimReset0[] = {{"Stream_Switch_Reset", 0, 0}};
inline constexpr Field kShimReset1[] = {{"NoC_Module_Reset", 0, 0}};
inline constexpr Field kMemoryClock[] = {{"Ctrl_Pkt_Tlast_Error_Enable", 2, 2},
                                         {"Memory_Module_Clock_Enable", 1, 1},
                                         {"Stream_Switch_Clock_Enable", 0, 0}};
inline constexpr Field kComputeClock[] = {{"Ctrl_Pkt_Tlast_Error_Enable", 3, 3},
                                          {"Core_Module_Clock_Enable", 2, 2},
                                          {"Memory_Module_Clock_Enable", 1, 1},
                                          {"Stream_Switch_Clock_Enable", 0, 0}};
inline constexpr Field kModuleReset[] = {{"Memory_Module_Reset", 1, 1},
                                         {"Stream_Switch_Reset", 0, 0}};
inline constexpr Field kColumnClock[] = {{"Column_Clock_Enable", 0, 0}};
inline constexpr Field kColumnReset[] = {{"Column_Reset", 0, 0}};
inline constexpr Field kIsolation[] = {{"Isolate_From_East", 3, 3},
                                       {"Isolate_From_North", 2, 2},
                                       {"Isolate_From_West", 1, 1},
                                       {"Isolate_From_South", 0, 0}};
inline constexpr Field kMemoryControl[] = {{"Memory_Interleaving_Mode", 1, 1},
                                           {"Memory_Zeroisation", 0, 0}};
inline constexpr Field kZeroisation[] = {{"Memory_Zeroisation", 0, 0}};

inline constexpr Field kControlStatus[] = {{"TLAST_Error", 3, 3},
                                           {"SLVERR", 2, 2},
                                           {"Second_Header_Parity", 1, 1},
                                           {"First_Header_Parity", 0, 0}};

}  // namespace tessera::aieml
