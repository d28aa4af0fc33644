// The program of the preparation: an instruction for each line.
//
// What a line reads (`get`) is D two lines later, so lines stand in the order of time: D is named at the
// end of a line. A branch decides what comes behind the next line. A product is P three lines after its second
// operand. S: scratch. Dimensions: d0 .. d3.
package tsr_prep_program_pkg;
  import tsr_prep_pkg::*;

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

  // verilog_format: off
  typedef instruction_t [255:0] program_t;
  function automatic program_t lines();
    for (int unsigned l = 0; l < 256; l++) lines[l] = '0;
    // ---- Every job. A row alone ends here.
    lines[LFirst] = get(RBase1) | keep(KHeader);  // D: control, chain
    lines[LBase] = get(RBase1) | sum(XPair, W0) | save(SAddr) | emit(OAddr) | keep(KCounts01);
    lines[LRow] =  // D: counts of d2, d3 below, of d0, d1 above
      get(RNext3OrHighs) | sum(XWord, W2, YMinus) | save(SWhole) | emit(OData) |
          keep(KCounts23);
    lines[LStep] =  // D: strides of d0, d1
      get(RNextOrFill) | sum(XStride, W3) | save(SJump1) | emit(OJump, 1) | mul(MStride, W3) |
          keep(KStride) | go(BGo, LBase);
    lines[LEndRow] = get(RBase0) | keep(KHighs) | go(BFirst);

    // ---- Two dimensions, the inner one a row
    lines[LPlane] = get(RNext3) | sum(XWord, W3) | emit(OInside, 1);  // D: base, counts of d0, d1
    lines[LPlane1] = get(RNext0) | go(BGo, LBase);
    lines[LEndPlane] = go(BEnd);

    // ---- Dimension 0 a level: an element is a row
    lines[LSparse] = get(RBase0);
    lines[LSparse1] = get(RBase1);
    lines[LSparse2] =  // D: base, counts of d0, d1
      sum(XWord, W2) | emit(OInside, 0) | mul(MCount, W2);
    lines[LSparse3] =  // D: strides of d0, d1
      sum(XStride, W2) | save(SJump) | emit(OJump, 0) | mul(MStride, W2);
    lines[LSparse4] = sum(XZero, W0) | save(SWhole) | emit(OData);
    lines[LSparse5] = '0;
    lines[LSparse6] = get(RBase0) | sum(XProd, W0, YSub, SJump);
    lines[LSparse7] =  // D: strides of d0, d1
      get(RBase1) | sum(XStride, W3, YSubA) | save(SJump1) | emit(OJump, 1) |
          mul(MStride, W3) | go(BGo, LLevels1);
    lines[LSparse8] = get(RBase2) | sum(XWord, W3) | emit(OInside, 1) | mul(MCount, W3);

    // ---- Levels of dimensions 1 to 3: back = stride * count - jump; next jump = stride - back
    lines[LLevels] =  // D: base, counts of d0, d1
      get(RBase2) | sum(XWord, W3) | emit(OInside, 1) | mul(MCount, W3) |
          go(BSparse, LSparse);
    lines[LLevels1] = sum(XWord, W0) | emit(OInside, 2) | mul(MCount, W0);  // D: counts of d2, d3
    lines[LLevels2] = mul(MStride, W0);  // D: strides of d2, d3
    lines[LLevels3] = sum(XProd, W0, YSub, SJump1);
    lines[LLevels4] = sum(XStride, W0, YSubA) | save(SJump2) | emit(OJump, 2);
    lines[LLevels5] = get(RBase1) | sum(XProd, W0, YSubA);
    lines[LLevels6] = get(RBase2) | sum(XStride, W1, YSubA) | save(SJump3) | emit(OJump, 3) |
                  go(BExtra, LExtra);
    lines[LLevels7] =  // D: counts of d2, d3
      get(RNext3) | sum(XWord, W1, YNone, SAddr, GCount) | emit(OInside, 3);
    lines[LLevels8] = get(RNext0) | go(BGo, LBase);
    lines[LEndLevels] = go(BEnd);

    // ---- More than strides and counts: length, fill, turns of the iteration
    lines[LNoLevels] = get(RBase2) | go(BSparse, LSparse);
    lines[LNoLevels1] = '0;
    lines[LExtra] =  // D: length
        get(RFill) | sum(XWord, W2, YMinus) | emit(OLength) | keep(KLength);
    lines[LExtra1] = get(RTurns) | sum(XZero, W0, YAdd, SWhole) | emit(OWhole);
    lines[LExtra2] =  // D: fill, mask
      get(RBase2) | sum(XPair, W0) | emit(OFill) | keep(KMask);
    lines[LExtra3] =  // D: turns
      sum(XWord, W0, YOne) | store(PTurns) | mul(MTurns, W0) | go(BPlain, LPlain);
    lines[LExtra4] =  // D: step of the iteration
      get(RStarts) | mul(MSigned, W3) | go(BOther, LDim);
    lines[LExtra5] = get(RBounds);

    // ---- Dimension 0 a row with bounds: fill before, data, fill behind
    lines[LPad] =  // D: starts
      get(RBase1) | sum(XSigned, W0) | save(SStart) | store(PStart) | mul(MStart, W0) | Loop;
    lines[LPad1] =  // D: bounds
      get(RBase0) | sum(XWord, W0, YSubA) | save(SRest) | keep(KRoom);
    lines[LPad2] = sum(XProd, W2, YAdd, SAddr) | save(SAddr) | mul(MStride, W2);  // D: stride of d0
    lines[LPad3] =  // D: count of d0
      sum(XWord, W2, YSub, SRest, GBehind) | save(SRest) | keep(KBehind);
    lines[LPad4] = sum(XSum, W0, YMinus) | emit(OTail);
    lines[LPad5] = sum(XWord, W2, YAdd, SStart) | keep(KTotal);
    lines[LPad6] = get(RStarts) | sum(XWord, W2, YLess, SRest, GInside) | emit(OData) |
        keep(KInside) | go(BLoop, LDim);
    lines[LPad7] = get(RBounds) | sum(XWord, W2, YLess, SStart, GBefore) | emit(OLead) |
        keep(KParts) | go(BWide, LHigh);

    // ---- A dimension: first address, and positions before, inside and behind the bounds
    lines[LDim] =  // D: starts
      get(RStride) | sum(XSigned, WDim) | save(SStart) | store(PStart) | mul(MStart, WDim) |
          Loop;
    lines[LDim1] =  // D: bounds
      get(RCount) | sum(XWord, WDim, YSubA) | save(SRest) | keep(KRoom) |
          Loop | go(BFree, LFree);
    lines[LDim2] =  // D: its stride
      sum(XProd, WHalf, YAdd, SAddr) | save(SAddr) | mul(MStride, WHalf) | Loop;
    lines[LDim3] =  // D: its count
      sum(XWord, WHalf, YSub, SRest, GBehind) | save(SRest) | emit(OBehind) |
          keep(KBehind) | Loop;
    lines[LDim4] = sum(XWord, WHalf, YAdd, SStart, GCount) | keep(KTotal) | Loop;
    lines[LDim5] = get(RStarts) | sum(XWord, WHalf, YSub, SRest, GInside) | emit(OInside) |
               keep(KInside) | Loop | go(BLoop, LDim);
    lines[LDim6] = get(RBounds) | sum(XWord, WHalf, YSub, SStart, GBefore) | emit(OBefore) |
               keep(KParts) | Loop | go(BWide, LHigh);
    lines[LFree] = get(RStarts) | Loop | go(BLoop, LDim);
    lines[LFree1] = get(RBounds) | keep(KNext) | Loop | go(BWide, LHigh);

    // ---- The sum of all products is the address
    lines[LPlain] = go(BWalk, LTileSum);
    lines[LPlain1] = '0;
    lines[LSum] = get(RNext3) | sum(XProd, W0, YAdd, SAddr) | save(SAddr) | emit(OAddr);
    lines[LSum1] = get(RNext0) | go(BGo, LBase);
    lines[LEnd] = go(BEnd);

    // ---- High halves of strides: of the address and of jumps
    lines[LHigh] = get(RStarts) | sum(XZero, W0) | save(SHighBack) | keep(KFirst);
    lines[LHigh1] = get(RHighs);
    lines[LHigh2] = get(RCount) | mul(MStart, WDim) | Loop;  // D: starts
    lines[LHigh3] =  // D: high halves
      sum(XWord, WDim, YSub, SHighBack) | save(SHighJump) | mul(MSigned, WDim) | Loop;
    lines[LHigh4] =  // D: its count
      sum(XSumHi, W0, YAdd, SJump) | emit(OJump) | mul(MCount, WHalf) | Loop;
    lines[LHigh5] = '0;
    lines[LHigh6] = get(RStarts) | sum(XProdHi, W0, YAdd, SAddr) | save(SAddr) | go(BMore, LHigh2);
    lines[LHigh7] = get(RHighs) | sum(XProd, W0, YSub, SHighJump) | save(SHighBack) | keep(KNext) |
                Loop;
    lines[LHigh8] = sum(XZero, W0, YAdd, SAddr) | emit(OAddr) | go(BFinish);
    lines[LHigh9] = get(RNext3) | sum(XZero, W0, YAddA);

    // ---- A further tile of a traversal: the lowest level with turns left moves its dimension
    lines[LTile] = keep(KLeft);  // D: turns left
    lines[LTile1] = get(RTimes) | keep(KMoves);  // D: dimensions that move
    lines[LTile2] = get(RLeft);
    lines[LTile3] = get(RSteps) | keep(KTimes);  // D: turns
    lines[LTile4] = get(RWhere) | sum(XWord, WDim, YMinus) | store(PLeft) | Loop;  // D: turns left
    lines[LTile5] =  // D: steps
      get(RMoved) | sum(XSigned, WDim) | mul(MStep, WDim) | Loop;
    lines[LTile6] = get(RHighs) | sum(XWord, WMove, YAddA) | store(PWhere);  // D: starts
    lines[LTile7] = get(RNear) | mul(MStride, WMoveHalf);  // D: its stride
    lines[LTile8] = mul(MHigh, WMove) | go(BBottom, LTile10);  // D: its high half
    lines[LTile9] = sum(XPair, W0);  // D: address of level 0
    lines[LUpper] = get(RStack);
    lines[LUpper1] = '0;
    lines[LUpper2] = sum(XWord, WStackHi);  // D: address of the level that moves
    lines[LUpper3] = get(RMoved) | sum(XSumHi, W0);
    lines[LUpper4] = get(RHighs) | sum(XWord, WStackLo, YAddA) | save(SAddr);
    lines[LUpper5] = mul(MStride, WMoveHalf);  // D: its stride
    lines[LUpper6] = mul(MHigh, WMove);  // D: its high half
    lines[LUpper7] = sum(XZero, W0, YAdd, SAddr);
    lines[LTile10] = sum(XProd, W0, YAddA);
    lines[LTile11] = sum(XProdHi, W0, YAddA) | save(SAddr) | emit(OAddr);
    lines[LTile12] = get(RStarts) | sum(XZero, W0, YAddA) | store(PNear) | mul(MTurns, W0) |
                 go(BMoved, LMoved);
    lines[LTile13] = get(RBounds) | sum(XZero, W0, YAddA) | store(PFar) | keep(KFirst);
    lines[LTile14] = get(RRest);
    lines[LTile15] = '0;
    lines[LTile16] = sum(XWord, W2);  // D: length left, elements of a tile
    lines[LTile17] = sum(XWord, W1, YSubA) | store(PLength);
    lines[LMoved] = keep(KFirst) | go(BBottom, LReady);
    lines[LMoved1] = '0;
    // Levels below begin anew: start - step * (turns - 1)
    lines[LReset] = get(RTimes);
    lines[LReset1] = get(RSteps);
    lines[LReset2] =  // D: turns
      get(RWhere) | sum(XWord, WDim, YMinus) | store(PLeft) | mul(MCount, WDim) | Loop;
    lines[LReset3] =  // D: steps
      sum(XSigned, WDim) | mul(MSigned, WDim) | Loop;
    lines[LReset4] = sum(XWord, WMove, YAddA) | save(SStart);  // D: starts
    lines[LReset5] = '0;
    lines[LReset6] = sum(XProd, W0, YSub, SStart);
    lines[LReset7] = sum(XZero, W0, YSubA) | store(PWhere) | go(BLower, LReset);
    lines[LReset8] = keep(KNext);
    // What the slot does not hold yet is made as for the first tile
    lines[LReady] = keep(KFirst) | mul(MTurns, W0) | go(BHeld, LHeld);
    lines[LReady1] = '0;
    lines[LAgain] = get(RBase1) | go(BSparse, LSparse);
    lines[LAgain1] = get(RBase0) | go(BDense, LLevels);
    lines[LAgain2] = get(RBase1) | mul(MStride, W3);  // D: strides of d0, d1
    lines[LHeld] = get(RStarts) | go(BStarts);
    lines[LHeld1] = get(RBounds) | go(BPlain, LPlain);
    lines[LHeld2] = '0;

    // ---- The end of a tile. The first one leaves where the traversal is.
    lines[LTileSum] = get(RNext3) | sum(XProd, W0, YAdd, SAddr) | save(SAddr) | emit(OAddr) |
                  go(BAgain);
    lines[LFirstTile] = sum(XZero, W0, YAddA) | store(POrigin);
    lines[LFirstTile1] = get(RTimes) | sum(XZero, W0, YAddA) | store(PFar) | keep(KFirst);
    lines[LFirstTile2] = '0;
    lines[LFirstTile3] = keep(KTimes);  // D: turns
    lines[LFirstTile4] = sum(XWord, WDim, YMinus) | store(PLeft) | Loop | go(BMore, LFirstTile4);
    lines[LFirstTile5] = keep(KNext);
    lines[LFirstTile6] = get(RMoves);
    lines[LFirstTile7] = '0;
    lines[LFirstTile8] = keep(KMoves) | go(BShort, LRest);  // D: dimensions that move
    lines[LFirstTile9] = '0;
    // The product of all counts is what a tile takes of the length
    lines[LElems] = sum(XZero, W0, YOne) | store(PElems) | keep(KFirst);
    lines[LElems1] = '0;
    lines[LElems2] = get(RRest);
    lines[LElems3] = get(RCount);
    lines[LElems4] = mul(MCount, W2);  // D: elements so far
    lines[LElems5] = mul(MUnsigned, WHalf) | Loop;  // D: count of the dimension
    lines[LElems6] = '0;
    lines[LElems7] = '0;
    lines[LElems8] = sum(XProd, W0) | store(PElems) | go(BMore, LElems2);
    lines[LElems9] = keep(KNext);
    lines[LElems10] = get(RBase2);
    lines[LElems11] = '0;
    lines[LElems12] = sum(XWord, W2) | store(PLength);  // D: length
    lines[LElems13] = '0;
    lines[LRest] = get(RRest) | go(BShort, LInside);
    lines[LRest1] = '0;
    lines[LRest2] = sum(XWord, W1, YMinus) | emit(OLength);  // D: length left, elements of a tile
    lines[LRest3] = sum(XWord, W1);
    lines[LRest4] = sum(XWord, W2, YSubA) | keep(KMore);
    // The first row of a row with bounds begins inside them: this part of the address comes last
    lines[LInside] = get(RWhere);
    lines[LInside1] = get(RBase1);
    lines[LInside2] = get(RHighs) | mul(MPad, W0);  // D: starts
    lines[LInside3] = mul(MStride, W2);  // D: stride of d0
    lines[LInside4] = mul(MHigh, W0);  // D: its high half
    lines[LInside5] = '0;
    lines[LInside6] = sum(XProd, W0, YAdd, SAddr) | go(BGo, LSum1);
    lines[LInside7] = get(RNext3) | sum(XProdHi, W0, YAddA) | emit(OAddr);

    // ---- Software reads a word
    lines[LAccess] = sum(XZero, W0);
    lines[LAccess1] = sum(XZero, W1);
    lines[LAccess2] = sum(XZero, W2);
    lines[LAccess3] = sum(XZero, W3);
  endfunction
  // verilog_format: on

  localparam program_t Program = lines();
  function automatic branch_e branch(line_e line);
    branch = branch_e'(5'(Program[line] >> $bits(line_e)));
  endfunction

  // A word of the ROM. A block RAM is late: a branch is known with the line before it.
  typedef struct packed {
    instruction_t i;
    branch_e      next_br;    // of the next line
    branch_e      target_br;  // of the target
  } rom_word_t;
  function automatic rom_word_t rom_word(line_e line);
    rom_word = '0;
    rom_word.i = Program[line];
    rom_word.i.br = BNone;
    rom_word.next_br = branch(line_e'($bits(line_e)'(line) + 1'b1));
    rom_word.target_br = branch(rom_word.i.target);
  endfunction

  // Where other lines may follow than the target.
  typedef struct packed {
    line_e   line;
    branch_e br;    // of that line
  } jump_t;
  function automatic jump_t jump(line_e line);
    jump.line = line;
    jump.br   = branch(line);
  endfunction
  localparam jump_t ToDim = jump(LDim);
  localparam jump_t ToFirstTile = jump(LFirstTile);
  localparam jump_t ToLevels = jump(LLevels);
  localparam jump_t ToNoLevels = jump(LNoLevels);
  localparam jump_t ToPad = jump(LPad);
  localparam jump_t ToPlane = jump(LPlane);
  localparam jump_t ToRest = jump(LRest);
  localparam jump_t ToSparse = jump(LSparse);
  localparam jump_t ToSum = jump(LSum);
  localparam jump_t ToSum1 = jump(LSum1);
  localparam jump_t ToTile = jump(LTile);
  localparam jump_t ToTileSum = jump(LTileSum);

endpackage
