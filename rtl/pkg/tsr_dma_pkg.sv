// How a tessera_dma is built, for the modules between its registers and its engines.
package tsr_dma_pkg;
  import tsr_register_pkg::*;

  // What each means and costs: docs/limits.md. The engines and their fabric have fabric_config_t.
  typedef struct packed {
    int unsigned Reads;          // channels, 1..16
    int unsigned Writes;         // channels, 1..16
    int unsigned Ports;
    int unsigned AddrWidth;
    int unsigned DataWidth;
    int unsigned StreamWidth;
    int unsigned MaxBurst;
    int unsigned Outstanding;
    int unsigned Silence;
    int unsigned StreamSilence;
    int unsigned Windows;        // of a channel, 0..16
    int unsigned Descriptors;    // 1..256
    int unsigned TaskDepth;      // a power of two, 1..16
    int unsigned RecordDepth;    // a power of two, 1..16
    int unsigned Locks;          // 0..64
    int unsigned ListWidth;      // 64..512, a power of two
    int unsigned TriggerStages;
    features_t   Features;
    logic [6:0]  Column;         // where the IP stands
    logic [4:0]  Row;
  } dma_config_t;

  // The defaults of tessera_dma: scripts/lint compares. Features that are off by default are not named.
  localparam dma_config_t DmaDefaults = '{
      Reads: 1,
      Writes: 1,
      Ports: 1,
      AddrWidth: 64,
      DataWidth: 64,
      StreamWidth: 64,
      MaxBurst: 16,
      Outstanding: 32,
      Silence: 4096,
      StreamSilence: 0,
      Windows: 0,
      Descriptors: 16,
      TaskDepth: 4,
      RecordDepth: 8,
      Locks: 16,
      ListWidth: 64,
      TriggerStages: 2,
      Features: '{guard: 1'b1, bounds: 1'b1, walk: 1'b1, default: '0},
      Column: '0,
      Row: '0
  };

endpackage
