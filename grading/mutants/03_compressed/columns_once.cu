// 03/index: after a call with other arguments: row 0, jh 0: expected column 1, got -1
// A later call launches a kernel without work.
// INSTEAD OF: columns_kernel<<<ny, 32>>>(blocks_for(nx, 2), colour, columns);
static int calls;
columns_kernel<<<ny, 32>>>(calls++ ? 0 : blocks_for(nx, 2), colour, columns);
// END(0)
