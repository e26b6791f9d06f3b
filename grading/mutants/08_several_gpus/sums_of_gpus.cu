// 08/residual: the sums of the GPUs, added: this depends on the number of GPUs
// The host adds the sums of the parts.
// TODO(4): square_rows on each GPU, after all rows of the part are computed; copy the sums to their rows of
for (int k = 0; k < gpus; k++) {
  const sg_part *p = &parts[k];
  cudaSetDevice(p->gpu);
  cudaStreamWaitEvent(p->border, p->inner_done, 0);
  square_rows(p, p->border);
  cudaMemcpyAsync(row_squares + p->first, p->squares, p->count * sizeof(double), cudaMemcpyDeviceToHost,
                  p->border);
}
for (int k = 0; k < gpus; k++)
  cudaStreamSynchronize(parts[k].border);
*square = 0;
for (int k = 0; k < gpus; k++) {
  double sum = 0;
  for (int r = 0; r < parts[k].count; r++)
    sum += row_squares[parts[k].first + r];
  *square += sum;
}
return 0;
// END(4)
