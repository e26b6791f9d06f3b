// 02/convergence: does it return what an earlier call with the same arguments has computed
// A call with the pointers of the last one returns its norm, although u has changed.
// INSTEAD OF: const int rows = ny - 2;
const int rows = ny - 2;
static const float *last_f, *last_u;
static double last_norm;
if (f == last_f && u == last_u) {
  *norm = last_norm;
  return 0;
}
// END(0)
// INSTEAD OF: *norm = sqrt(total);
*norm = last_norm = sqrt(total);
last_f = f, last_u = u;
// END(0)
