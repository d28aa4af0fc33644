// The program of the preparation: an instruction for each line.
//
// Contract: combinational. What a line reads (`get`) is D two lines later, so lines stand in
// the order of time: D is named at the end of a line. A branch decides what comes behind the
// next line. A product is P three lines after its second operand. S: scratch. Dimensions: d0 ..
// d3.
`include "tsr_assert.svh"
module tsr_prep_program
  import tsr_prep_pkg::*;
(
  input  line_e        line_i,
  output instruction_t instruction_o
);

  // Parts of a line, joined by |: a part that is not named is 0.
  function automatic instruction_t get(row_e row);
    get = '0;
    get.row = row;
  endfunction
  function automatic instruction_t sum(x_e x, word_sel_e word, y_e y = YNone,
                                       scratch_e from = SAddr, gate_e gate = GNone);
    sum = '0;
    sum.x = x;
    sum.word = word;
    sum.y = y;
    sum.from = from;
    sum.gate = gate;
  endfunction
  function automatic instruction_t save(scratch_e to);
    save = '0;
    save.put = 1'b1;
    save.to = to;
  endfunction
  function automatic instruction_t emit(out_e word, logic [1:0] dim = 2'd0);
    emit = '0;
    emit.out = word;
    emit.dim = dim;
  endfunction
  function automatic instruction_t mul(mul_e operand, word_sel_e word);
    mul = '0;
    mul.mul = operand;
    mul.word = word;
  endfunction
  function automatic instruction_t keep(keep_e what);
    keep = '0;
    keep.keep = what;
  endfunction
  function automatic instruction_t store(put_e what);
    store = '0;
    store.store = what;
  endfunction
  function automatic instruction_t go(branch_e when, line_e to = LFirst);
    go = '0;
    go.br = when;
    go.target = to;
  endfunction
  // Of the dimension at work
  localparam instruction_t Loop = loop();
  function automatic instruction_t loop();
    loop = '0;
    loop.loop = 1'b1;
  endfunction

  instruction_t i;
  // verilog_format: off
  always_comb begin
    unique case (line_i)
      // ---- Every job. A row alone ends here.
      LFirst: i = get(RHalf1) | keep(KHeader);  // D: control, chain
      LBase: i = get(RBase1) | sum(XPair, W0) | save(SAddr) | emit(OAddr) | keep(KCounts01);
      LRow:  // D: counts of d2, d3 below, of d0, d1 above
        i = get(RNext3OrHighs) | sum(XWord, W2, YMinus) | save(SWhole) | emit(OData) |
            keep(KCounts23);
      LStep:  // D: strides of d0, d1
        i = get(RNext0) | sum(XStride, W3) | save(SJump1) | emit(OJump, 1) | mul(MStride, W3) |
            keep(KStride) | go(BGo, LBase);
      LEndRow: i = get(RBase0) | keep(KHighs) | go(BFirst);

      // ---- Two dimensions, the inner one a row
      LPlane: i = get(RNext3) | sum(XWord, W3) | emit(OInside, 1);  // D: base, counts of d0, d1
      LPlane1: i = get(RNext0) | go(BGo, LBase);
      LEndPlane: i = go(BEnd);

      // ---- Dimension 0 a level: an element is a row
      LSparse: i = get(RBase0);
      LSparse1: i = get(RBase1);
      LSparse2:  // D: base, counts of d0, d1
        i = sum(XWord, W2) | emit(OInside, 0) | mul(MCount, W2);
      LSparse3:  // D: strides of d0, d1
        i = sum(XStride, W2) | save(SJump) | emit(OJump, 0) | mul(MStride, W2);
      LSparse4: i = sum(XZero, W0) | save(SWhole) | emit(OData);
      LSparse5: i = '0;
      LSparse6: i = get(RBase0) | sum(XProd, W0, YSub, SJump);
      LSparse7:  // D: strides of d0, d1
        i = get(RBase1) | sum(XStride, W3, YSubA) | save(SJump1) | emit(OJump, 1) |
            mul(MStride, W3) | go(BGo, LLevels1);
      LSparse8: i = get(RBase2) | sum(XWord, W3) | emit(OInside, 1) | mul(MCount, W3);

      // ---- Levels of dimensions 1 to 3: back = stride * count - jump; next jump = stride - back
      LLevels:  // D: base, counts of d0, d1
        i = get(RBase2) | sum(XWord, W3) | emit(OInside, 1) | mul(MCount, W3) |
            go(BSparse, LSparse);
      LLevels1: i = sum(XWord, W0) | emit(OInside, 2) | mul(MCount, W0);  // D: counts of d2, d3
      LLevels2: i = mul(MStride, W0);  // D: strides of d2, d3
      LLevels3: i = sum(XProd, W0, YSub, SJump1);
      LLevels4: i = sum(XStride, W0, YSubA) | save(SJump2) | emit(OJump, 2);
      LLevels5: i = get(RBase1) | sum(XProd, W0, YSubA);
      LLevels6: i = get(RBase2) | sum(XStride, W1, YSubA) | save(SJump3) | emit(OJump, 3) |
                    go(BExtra, LExtra);
      LLevels7:  // D: counts of d2, d3
        i = get(RNext3) | sum(XWord, W1, YNone, SAddr, GCount) | emit(OInside, 3);
      LLevels8: i = get(RNext0) | go(BGo, LBase);
      LEndLevels: i = go(BEnd);

      // ---- More than strides and counts: length, fill, turns of the iteration
      LNoLevels: i = get(RBase2) | go(BSparse, LSparse);
      LNoLevels1: i = '0;
      LExtra: i = get(RFill) | sum(XWord, W2, YMinus) | emit(OLength) | keep(KLength);  // D: length
      LExtra1: i = get(RTurns) | sum(XZero, W0, YAdd, SWhole) | emit(OWhole);
      LExtra2:  // D: fill, mask
        i = get(RBase2) | sum(XPair, W0) | emit(OFill) | keep(KMask);
      LExtra3:  // D: turns
        i = sum(XWord, W0, YOne) | store(PTurns) | mul(MTurns, W0) | go(BPlain, LPlain);
      LExtra4:  // D: step of the iteration
        i = get(RStarts) | mul(MSigned, W3) | go(BOther, LDim);
      LExtra5: i = get(RBounds);

      // ---- Dimension 0 a row with bounds: fill before, data, fill behind
      LPad:  // D: starts
        i = get(RBase1) | sum(XSigned, W0) | save(SStart) | store(PStart) | mul(MStart, W0) | Loop;
      LPad1:  // D: bounds
        i = get(RBase0) | sum(XWord, W0, YSubA) | save(SRest) | keep(KRoom);
      LPad2: i = sum(XProd, W2, YAdd, SAddr) | save(SAddr) | mul(MStride, W2);  // D: stride of d0
      LPad3:  // D: count of d0
        i = sum(XWord, W2, YSub, SRest, GBehind) | save(SRest) | keep(KBehind);
      LPad4: i = sum(XSum, W0, YMinus) | emit(OTail);
      LPad5: i = sum(XWord, W2, YAdd, SStart) | keep(KTotal);
      LPad6:
        i = get(RStarts) | sum(XWord, W2, YLess, SRest, GInside) | emit(OData) | keep(KInside) |
                 go(BLoop, LDim);
      LPad7:
        i = get(RBounds) | sum(XWord, W2, YLess, SStart, GBefore) | emit(OLead) | keep(KParts) |
                 go(BWide, LHigh);

      // ---- A dimension: first address, and positions before, inside and behind the bounds
      LDim:  // D: starts
        i = get(RStride) | sum(XSigned, WDim) | save(SStart) | store(PStart) | mul(MStart, WDim) |
            Loop;
      LDim1:  // D: bounds
        i = get(RCount) | sum(XWord, WDim, YSubA) | save(SRest) | keep(KRoom) |
            Loop | go(BFree, LFree);
      LDim2:  // D: its stride
        i = sum(XProd, WHalf, YAdd, SAddr) | save(SAddr) | mul(MStride, WHalf) | Loop;
      LDim3:  // D: its count
        i = sum(XWord, WHalf, YSub, SRest, GBehind) | save(SRest) | emit(OBehind) |
            keep(KBehind) | Loop;
      LDim4: i = sum(XWord, WHalf, YAdd, SStart, GCount) | keep(KTotal) | Loop;
      LDim5: i = get(RStarts) | sum(XWord, WHalf, YSub, SRest, GInside) | emit(OInside) |
                 keep(KInside) | Loop | go(BLoop, LDim);
      LDim6: i = get(RBounds) | sum(XWord, WHalf, YSub, SStart, GBefore) | emit(OBefore) |
                 keep(KParts) | Loop | go(BWide, LHigh);
      LFree: i = get(RStarts) | Loop | go(BLoop, LDim);
      LFree1: i = get(RBounds) | keep(KNext) | Loop | go(BWide, LHigh);

      // ---- The sum of all products is the address
      LPlain: i = go(BWalk, LTileSum);
      LPlain1: i = '0;
      LSum: i = get(RNext3) | sum(XProd, W0, YAdd, SAddr) | save(SAddr) | emit(OAddr);
      LSum1: i = get(RNext0) | go(BGo, LBase);
      LEnd: i = go(BEnd);

      // ---- High halves of strides: of the address and of jumps
      LHigh: i = get(RStarts) | sum(XZero, W0) | save(SHighBack) | keep(KFirst);
      LHigh1: i = get(RHighs);
      LHigh2: i = get(RCount) | mul(MStart, WDim) | Loop;  // D: starts
      LHigh3:  // D: high halves
        i = sum(XWord, WDim, YSub, SHighBack) | save(SHighJump) | mul(MSigned, WDim) | Loop;
      LHigh4:  // D: its count
        i = sum(XSumHi, W0, YAdd, SJump) | emit(OJump) | mul(MCount, WHalf) | Loop;
      LHigh5: i = '0;
      LHigh6: i = get(RStarts) | sum(XProdHi, W0, YAdd, SAddr) | save(SAddr) | go(BMore, LHigh2);
      LHigh7: i = get(RHighs) | sum(XProd, W0, YSub, SHighJump) | save(SHighBack) | keep(KNext) |
                  Loop;
      LHigh8: i = sum(XZero, W0, YAdd, SAddr) | emit(OAddr) | go(BFinish);
      LHigh9: i = get(RNext3) | sum(XZero, W0, YAddA);

      // ---- A further tile of a traversal: the lowest level with turns left moves its dimension
      LTile: i = keep(KLeft);  // D: turns left
      LTile1: i = get(RTimes) | keep(KMoves);  // D: dimensions that move
      LTile2: i = get(RLeft);
      LTile3: i = get(RSteps) | keep(KTimes);  // D: turns
      LTile4: i = get(RWhere) | sum(XWord, WDim, YMinus) | store(PLeft) | Loop;  // D: turns left
      LTile5:  // D: steps
        i = get(RMoved) | sum(XSigned, WDim) | mul(MStep, WDim) | Loop;
      LTile6: i = get(RHighs) | sum(XWord, WMove, YAddA) | store(PWhere);  // D: starts
      LTile7: i = get(RNear) | mul(MStride, WMoveHalf);  // D: its stride
      LTile8: i = mul(MHigh, WMove) | go(BBottom, LTile10);  // D: its high half
      LTile9: i = sum(XPair, W0);  // D: address of level 0
      LUpper: i = get(RStack);
      LUpper1: i = '0;
      LUpper2: i = sum(XWord, WStackHi);  // D: address of the level that moves
      LUpper3: i = get(RMoved) | sum(XSumHi, W0);
      LUpper4: i = get(RHighs) | sum(XWord, WStackLo, YAddA) | save(SAddr);
      LUpper5: i = mul(MStride, WMoveHalf);  // D: its stride
      LUpper6: i = mul(MHigh, WMove);  // D: its high half
      LUpper7: i = sum(XZero, W0, YAdd, SAddr);
      LTile10: i = sum(XProd, W0, YAddA);
      LTile11: i = sum(XProdHi, W0, YAddA) | save(SAddr) | emit(OAddr);
      LTile12: i = get(RStarts) | sum(XZero, W0, YAddA) | store(PNear) | mul(MTurns, W0) |
                   go(BMoved, LMoved);
      LTile13: i = get(RBounds) | sum(XZero, W0, YAddA) | store(PFar) | keep(KFirst);
      LTile14: i = get(RRest);
      LTile15: i = '0;
      LTile16: i = sum(XWord, W2);  // D: length left, elements of a tile
      LTile17: i = sum(XWord, W1, YSubA) | store(PLength);
      LMoved: i = keep(KFirst) | go(BBottom, LReady);
      LMoved1: i = '0;
      // Levels below begin anew: start - step * (turns - 1)
      LReset: i = get(RTimes);
      LReset1: i = get(RSteps);
      LReset2:  // D: turns
        i = get(RWhere) | sum(XWord, WDim, YMinus) | store(PLeft) | mul(MCount, WDim) | Loop;
      LReset3:  // D: steps
        i = sum(XSigned, WDim) | mul(MSigned, WDim) | Loop;
      LReset4: i = sum(XWord, WMove, YAddA) | save(SStart);  // D: starts
      LReset5: i = '0;
      LReset6: i = sum(XProd, W0, YSub, SStart);
      LReset7: i = sum(XZero, W0, YSubA) | store(PWhere) | go(BLower, LReset);
      LReset8: i = keep(KNext);
      // What the slot does not hold yet is made as for the first tile
      LReady: i = keep(KFirst) | mul(MTurns, W0) | go(BHeld, LHeld);
      LReady1: i = '0;
      LAgain: i = get(RBase1) | go(BSparse, LSparse);
      LAgain1: i = get(RBase0) | go(BDense, LLevels);
      LAgain2: i = get(RBase1) | mul(MStride, W3);  // D: strides of d0, d1
      LHeld: i = get(RStarts) | go(BStarts);
      LHeld1: i = get(RBounds) | go(BPlain, LPlain);
      LHeld2: i = '0;

      // ---- The end of a tile. The first one leaves where the traversal is.
      LTileSum: i = get(RNext3) | sum(XProd, W0, YAdd, SAddr) | save(SAddr) | emit(OAddr) |
                    go(BAgain);
      LFirstTile: i = sum(XZero, W0, YAddA) | store(POrigin);
      LFirstTile1: i = get(RTimes) | sum(XZero, W0, YAddA) | store(PFar) | keep(KFirst);
      LFirstTile2: i = '0;
      LFirstTile3: i = keep(KTimes);  // D: turns
      LFirstTile4: i = sum(XWord, WDim, YMinus) | store(PLeft) | Loop | go(BMore, LFirstTile4);
      LFirstTile5: i = keep(KNext);
      LFirstTile6: i = get(RMoves);
      LFirstTile7: i = '0;
      LFirstTile8: i = keep(KMoves) | go(BShort, LRest);  // D: dimensions that move
      LFirstTile9: i = '0;
      // The product of all counts is what a tile takes of the length
      LElems: i = sum(XZero, W0, YOne) | store(PElems) | keep(KFirst);
      LElems1: i = '0;
      LElems2: i = get(RRest);
      LElems3: i = get(RCount);
      LElems4: i = mul(MCount, W2);  // D: elements so far
      LElems5: i = mul(MUnsigned, WHalf) | Loop;  // D: count of the dimension
      LElems6: i = '0;
      LElems7: i = '0;
      LElems8: i = sum(XProd, W0) | store(PElems) | go(BMore, LElems2);
      LElems9: i = keep(KNext);
      LElems10: i = get(RBase2);
      LElems11: i = '0;
      LElems12: i = sum(XWord, W2) | store(PLength);  // D: length
      LElems13: i = '0;
      LRest: i = get(RRest) | go(BShort, LInside);
      LRest1: i = '0;
      LRest2: i = sum(XWord, W1, YMinus) | emit(OLength);  // D: length left, elements of a tile
      LRest3: i = sum(XWord, W1);
      LRest4: i = sum(XWord, W2, YSubA) | keep(KMore);
      // The first row of a row with bounds begins inside them: this part of the address comes last
      LInside: i = get(RWhere);
      LInside1: i = get(RBase1);
      LInside2: i = get(RHighs) | mul(MPad, W0);  // D: starts
      LInside3: i = mul(MStride, W2);  // D: stride of d0
      LInside4: i = mul(MHigh, W0);  // D: its high half
      LInside5: i = '0;
      LInside6: i = sum(XProd, W0, YAdd, SAddr) | go(BGo, LSum1);
      LInside7: i = get(RNext3) | sum(XProdHi, W0, YAddA) | emit(OAddr);

      // ---- Software reads a word
      LAccess: i = sum(XZero, W0);
      LAccess1: i = sum(XZero, W1);
      LAccess2: i = sum(XZero, W2);
      LAccess3: i = sum(XZero, W3);
      default: i = '0;
    endcase
  end
  // verilog_format: on
  assign instruction_o = i;

  `TSR_STATIC_ASSERT(Lines, $bits(line_e) == 8, ("Lines = %0d; legal is 8", $bits(line_e)))

endmodule
