// 01/naive: a single call is right, but not a call that follows
// A counter that survives the call: each third one leaves out the last row.
// INSTEAD OF: naive_kernel<<<grid, block>>>(nx, ny, inv_h2, kappa2, u, f);
static int calls;
naive_kernel<<<grid, block>>>(nx, ++calls % 3 ? ny : ny - 1, inv_h2, kappa2, u, f);
// END(0)
