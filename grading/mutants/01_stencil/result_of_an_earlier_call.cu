// 01/naive: does a call return the results of an earlier one
// A call with the arrays of the last one launches nothing.
// INSTEAD OF: naive_kernel<<<grid, block>>>(nx, ny, inv_h2, kappa2, u, f);
static const float *last_u, *last_f;
if (u == last_u && f == last_f)
  return 0;
last_u = u;
last_f = f;
naive_kernel<<<grid, block>>>(nx, ny, inv_h2, kappa2, u, f);
// END(0)
