// 01/marching: the west neighbour of (1, 4) is read from (1, 0) instead of (1, 3)
// The lane to the west passes its first column instead of its last one.
// INSTEAD OF: const float before = __shfl_up_sync(0xffffffff, centre.u[MARCH_COLUMNS - 1], 1);
const float before = __shfl_up_sync(0xffffffff, centre.u[0], 1);
// END(5)
