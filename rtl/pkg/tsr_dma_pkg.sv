// How a tessera_dma is built, for the modules between its registers and its engines.
package tsr_dma_pkg;

  // Parameters of tessera_dma: made by scripts/parameters.
  typedef struct packed {
    int unsigned Reads;
    int unsigned Writes;
    int unsigned Ports;
    int unsigned AddrWidth;
    int unsigned DataWidth;
    int unsigned StreamWidth;
    int unsigned MaxBurst;
    int unsigned Outstanding;
    int unsigned BufferBeats;
    int unsigned Guard;
    int unsigned Windows;
    bit          Walk;
    bit          Bounds;
    int unsigned Descriptors;
    int unsigned QueueDepth;
    int unsigned Locks;
    bit          Lists;
    bit          Triggers;
    bit          Counters;
    bit          Tokens;
    bit          ControlPackets;
    int unsigned Side;
    bit          RouteDest;
    int unsigned Loopback;
    int unsigned OnChipSize;
    int unsigned OnChipBase;
    int unsigned OnChipBanks;
    int unsigned OnChipCheck;
    int unsigned SourceId;
  } dma_config_t;

  localparam dma_config_t DmaDefaults = '{
      Reads: 1,
      Writes: 1,
      Ports: 1,
      AddrWidth: 64,
      DataWidth: 64,
      StreamWidth: 64,
      MaxBurst: 16,
      Outstanding: 32,
      BufferBeats: 32,
      Guard: 1,
      Windows: 0,
      Walk: 1'b1,
      Bounds: 1'b1,
      Descriptors: 16,
      QueueDepth: 8,
      Locks: 16,
      Lists: 1'b0,
      Triggers: 1'b0,
      Counters: 1'b0,
      Tokens: 1'b0,
      ControlPackets: 1'b0,
      Side: 0,
      RouteDest: 1'b0,
      Loopback: 0,
      OnChipSize: 0,
      OnChipBase: 0,
      OnChipBanks: 2,
      OnChipCheck: 0,
      SourceId: 0
  };
  // End of parameters.

  // Cycles without progress that are a fault of the bus, unless software makes them more.
  localparam int unsigned Silence = 4096;

  // The same of a stream; 0: it may wait for ever.
  function automatic int unsigned stream_silence(input int unsigned guard_i);
    return guard_i == 2 ? 8 * Silence : 0;
  endfunction

  // Beats of a burst: none crosses 4 KiB.
  function automatic int unsigned longest_burst(input int unsigned beats_i,
                                                input int unsigned width_i);
    return beats_i * width_i > 8 * 4096 ? 8 * 4096 / width_i : beats_i;
  endfunction

endpackage
