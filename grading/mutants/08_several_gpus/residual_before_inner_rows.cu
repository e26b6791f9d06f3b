// 08/residual: GPU 0's square_rows may run at the same time as GPU 0's inner rows before
// The border stream does not wait for the inner rows.
// TODO(4): square_rows on each GPU, after all rows of the part are computed; copy the sums to their rows of
for (int k = 0; k < gpus; k++) {
  const sg_part *p = &parts[k];
  cudaSetDevice(p->gpu);
  square_rows(p, p->border);
  cudaMemcpyAsync(row_squares + p->first, p->squares, p->count * sizeof(double), cudaMemcpyDeviceToHost,
                  p->border);
}
for (int k = 0; k < gpus; k++)
  cudaStreamSynchronize(parts[k].border);
*square = 0;
for (int i = 1; i < ny - 1; i++)
  *square += row_squares[i];
return 0;
// END(4)
