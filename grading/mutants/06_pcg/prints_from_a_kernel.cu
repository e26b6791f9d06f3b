// 06/cg: does a kernel call printf? Kernels print nothing
// INSTEAD OF: q[k] = g.diagonal * p[k] - neighbours(g, colour, i, jh, 1, p);
{
  printf("%d %d\n", i, jh);
  q[k] = g.diagonal * p[k] - neighbours(g, colour, i, jh, 1, p);
}
// END(2)
