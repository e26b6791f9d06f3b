// 05/sequential: it equals the result of one sweep more
// INSTEAD OF: for (int sweep = 0; sweep < sweeps; sweep++)
for (int sweep = 0; sweep <= sweeps; sweep++)
// END(0)
