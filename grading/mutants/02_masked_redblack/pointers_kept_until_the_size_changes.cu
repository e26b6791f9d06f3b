// 02/masked: use after free
// Pointers are kept until nx or ny changes, as in a graph that is captured once for each size.
// INSTEAD OF: masked_kernel<<<grid_for(nx, ny), dim3(BLOCK_X, BLOCK_Y)>>>(nx, ny, colour, h2f, u);
static int kept_nx, kept_ny;
static const float *kept_f;
static float *kept_u;
if (nx != kept_nx || ny != kept_ny)
  kept_nx = nx, kept_ny = ny, kept_f = h2f, kept_u = u;
masked_kernel<<<grid_for(nx, ny), dim3(BLOCK_X, BLOCK_Y)>>>(nx, ny, colour, kept_f, kept_u);
// END(0)
