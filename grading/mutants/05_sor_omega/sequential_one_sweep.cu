// 05/sequential: it equals the result of one sweep: do all sweeps run?
// INSTEAD OF: for (int sweep = 0; sweep < sweeps; sweep++)
for (int sweep = 0; sweep < 1; sweep++)
// END(0)
