// A matrix of 16 x 16 words goes to the memory tile and comes back with rows and columns exchanged.
//   tessera seq examples/aieml/reorder.mlir --array examples/aieml/reorder.json
// As a binary, with routes and locks in the array file:
//   tessera seq examples/aieml/reorder.mlir --binary reorder.bin
//   tessera txn reorder.bin --array examples/aieml/reorder_binary.json
module {
  aie.device(npu1_1col) {
    %shim = aie.tile(0, 0)
    %memory = aie.tile(0, 1)
    %matrix = aie.buffer(%memory) {address = 0 : i32, sym_name = "matrix"} : memref<256xi32>
    %room = aie.lock(%memory, 0) {init = 1 : i32, sym_name = "room"}
    %full = aie.lock(%memory, 1) {init = 0 : i32, sym_name = "full"}
    aie.flow(%shim, DMA : 0, %memory, DMA : 0)
    aie.flow(%memory, DMA : 0, %shim, DMA : 0)
    aie.shim_dma_allocation @in (%shim, MM2S, 0)
    aie.shim_dma_allocation @out (%shim, S2MM, 0)
    aie.runtime_sequence @exchange(%in: memref<256xi32>, %out: memref<256xi32>) {
      %fill = aiex.dma_configure_task(%memory, S2MM, 0) {
        aie.use_lock(%room, AcquireGreaterEqual, 1)
        aie.dma_bd(%matrix : memref<256xi32> offset = 0 len = 256)
        aie.use_lock(%full, Release, 1)
        aie.end
      }
      %drain = aiex.dma_configure_task(%memory, MM2S, 0) {
        aie.use_lock(%full, AcquireGreaterEqual, 1)
        aie.dma_bd(%matrix : memref<256xi32> offset = 0 len = 256 sizes = [16, 16] strides = [1, 16])
        aie.use_lock(%room, Release, 1)
        aie.end
      }
      aiex.dma_start_task(%fill)
      aiex.dma_start_task(%drain)
      aiex.npu.dma_memcpy_nd(%out[0, 0, 0, 0][1, 1, 16, 16][0, 0, 1, 16]) {id = 1 : i64, metadata = @out} : memref<256xi32>
      aiex.npu.dma_memcpy_nd(%in[0, 0, 0, 0][1, 1, 1, 256][0, 0, 0, 1]) {id = 0 : i64, metadata = @in} : memref<256xi32>
      aiex.npu.dma_wait {symbol = @out}
    }
  }
}
