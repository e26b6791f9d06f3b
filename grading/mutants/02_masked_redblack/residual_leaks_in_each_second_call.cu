// 02/residual: calls leave memory of the host allocated
// INSTEAD OF: free(sums);
static int calls;
if (++calls % 2)
  free(sums);
// END(3)
