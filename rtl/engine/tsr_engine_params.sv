// Stops elaboration, with a sentence, for parameters that an engine cannot be built with. No logic.
`include "tsr_assert.svh"
module tsr_engine_params #(
  parameter int unsigned AddrWidth   = 64,
  parameter int unsigned DataWidth   = 64,
  parameter int unsigned StreamWidth = 64,
  parameter int unsigned MaxBurst    = 64,
  parameter int unsigned Outstanding = 64,
  parameter int unsigned BufferBeats = 0    // RoomBeats or StoreBeats
);

  `TSR_STATIC_ASSERT(AddrWidth, AddrWidth >= 32 && AddrWidth <= 64,
                     ("AddrWidth = %0d; legal is 32 to 64", AddrWidth))
  `TSR_STATIC_ASSERT(DataWidth, DataWidth >= 32 && DataWidth <= 1024 && $onehot(DataWidth),
                     ("DataWidth = %0d; legal is 32, 64, 128, 256, 512 or 1024", DataWidth))
  `TSR_STATIC_ASSERT(
      StreamWidth, StreamWidth >= 8 && StreamWidth <= 1024 && $onehot(StreamWidth),
      ("StreamWidth = %0d; legal is 8, 16, 32, 64, 128, 256, 512 or 1024", StreamWidth))
  `TSR_STATIC_ASSERT(MaxBurst, MaxBurst >= 1 && MaxBurst <= 256,
                     ("MaxBurst = %0d; legal is 1 to 256 beats", MaxBurst))
  `TSR_STATIC_ASSERT(Outstanding, Outstanding >= 1 && Outstanding <= 128,
                     ("Outstanding = %0d; legal is 1 to 128 bursts", Outstanding))
  localparam bit BufferFits = BufferBeats >= MaxBurst && BufferBeats >= 2 && $onehot(BufferBeats);
  `TSR_STATIC_ASSERT(
      BufferBeats, BufferBeats == 0 || BufferFits,
      ("RoomBeats or StoreBeats = %0d; legal is 0 or a power of two >= %0d", BufferBeats, MaxBurst))

endmodule
