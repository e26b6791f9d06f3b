// 04/tile: entries of C are wrong
// The calculator's rows and columns are those of a warp's one row: entries are computed twice, others never.
// INSTEAD OF: me.c_row = threadIdx.x / CALCULATORS * FOUR;
me.c_row = threadIdx.x / LANES * FOUR;
// END(4)
