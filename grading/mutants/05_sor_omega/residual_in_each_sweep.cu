// 05/study: launches in a sweep with its residual
// 05/mixed: launches in a correction of 20 sweeps
// Residuals that nobody needs: three follow each sweep of the study, and work as of one each sweep of a correction.
// INSTEAD OF: part = sweeps(g, omega[o], 1, h2f, u);
part = sweeps(g, omega[o], 1, h2f, u);
for (int extra = 0; extra < 3 && !part; extra++)
  part = residual(g, h2f, u, h2r);
// END(0)
// INSTEAD OF: const int part = sweeps(g, omega, count, source, e);
int part = 0;
for (int m = 0; m < count && !part; m++) {
  part = sweeps(g, omega, 1, source, e);
  narrow_kernel<<<blocks, SUM_THREADS>>>(n, norm, h2r, source);
}
// END(0)
