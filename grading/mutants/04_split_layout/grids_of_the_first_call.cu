// 04/pack: earlier calls had fewer columns, then fewer rows
// 04/naive: earlier calls had fewer columns, then fewer rows
// The grid of the first call serves all calls.
// INSTEAD OF: pack_kernel<<<grid, block>>>(nx, ny, pitch, u, red, black);
static const dim3 first = grid;
pack_kernel<<<first, block>>>(nx, ny, pitch, u, red, black);
// END(1)
// INSTEAD OF: naive_kernel<<<grid, block>>>({m, n, k, a, b, c});
static const dim3 first = grid;
naive_kernel<<<first, block>>>({m, n, k, a, b, c});
// END(4)
