// 01/marching: the west neighbour of (1, 4) is read from (1, 11) instead of (1, 3)
// The two shuffles are exchanged.
// INSTEAD OF: const float before = __shfl_up_sync(0xffffffff, centre.u[MARCH_COLUMNS - 1], 1);
const float before = __shfl_down_sync(0xffffffff, centre.u[MARCH_COLUMNS - 1], 1);
// END(0)
// INSTEAD OF: const float after = __shfl_down_sync(0xffffffff, centre.u[0], 1);
const float after = __shfl_up_sync(0xffffffff, centre.u[0], 1);
// END(0)
