// 01/marching: the west neighbour of (1, 128) is read from (1, 131) instead of (1, 127)
// Lane 0 keeps what the shuffle gives it, its own last column.
// INSTEAD OF: const float west = n > 0 ? centre.u[n - 1] : threadIdx.x > 0 ? before : centre.edge;
const float west = n > 0 ? centre.u[n - 1] : before;
// END(0)
