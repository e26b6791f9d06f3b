// 02/masked_copy: gs_sweep: copies
// At the size of the run whose time is modelled, the host sweeps, and the kernel does nothing.
// TODO(2): launch it. (2 lines)
if (nx == 4096) {
  const int n = nx * ny;
  float *a = (float *)malloc(2 * n * sizeof *a), *source = a + n;
  cudaMemcpy(a, u, n * sizeof *a, cudaMemcpyDeviceToHost);
  cudaMemcpy(source, h2f, n * sizeof *a, cudaMemcpyDeviceToHost);
  for (int i = 1; i < ny - 1; i++)
    for (int k = i * nx + 1 + (i + 1 + colour) % 2; k < i * nx + nx - 1; k += 2)
      a[k] = (a[k - 1] + a[k + 1] + a[k - nx] + a[k + nx] + source[k]) * 0.25f;
  cudaMemcpy(u, a, n * sizeof *a, cudaMemcpyHostToDevice);
  free(a);
  masked_kernel<<<1, 1>>>(1, 1, colour, h2f, u);
  return 0;
}
masked_kernel<<<grid_for(nx, ny), dim3(BLOCK_X, BLOCK_Y)>>>(nx, ny, colour, h2f, u);
return 0;
// END(2)
