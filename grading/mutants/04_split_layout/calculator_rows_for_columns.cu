// 04/tile: entries of C are wrong
// The calculator's rows and columns are those of a warp's one row: entries are computed twice, others never.
// INSTEAD OF: place = threadIdx.x / CALCULATORS * FOUR;
place = threadIdx.x / LANES * FOUR;
// END(4)
