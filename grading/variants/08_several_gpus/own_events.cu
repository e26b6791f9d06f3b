// The exchange has a loop over the borders between parts, with events of its own that are made once. The residual waits
// for each GPU as a whole and adds the sums of each row in a second pass.
// TODO(2): each part sends its border rows to the neighbours that it has and records `sent`; then each border stream
static cudaEvent_t down[SG_MOST], up[SG_MOST];
for (int k = 1; k < gpus; k++) {
  const sg_part &upper = parts[k - 1], &lower = parts[k];
  const size_t bytes = sizeof(double) * upper.pitch;
  if (!down[k]) {
    cudaSetDevice(upper.gpu);
    cudaEventCreateWithFlags(&down[k], cudaEventDisableTiming);
    cudaSetDevice(lower.gpu);
    cudaEventCreateWithFlags(&up[k], cudaEventDisableTiming);
  }
  cudaMemcpyPeerAsync(lower.u[colour], lower.gpu, row_of(&upper, colour, upper.count), upper.gpu, bytes,
                      upper.border);
  cudaMemcpyPeerAsync(row_of(&upper, colour, upper.count + 1), upper.gpu, row_of(&lower, colour, 1),
                      lower.gpu, bytes, lower.border);
}
for (int k = 1; k < gpus; k++) {
  cudaSetDevice(parts[k - 1].gpu);
  cudaEventRecord(down[k], parts[k - 1].border);
  cudaSetDevice(parts[k].gpu);
  cudaEventRecord(up[k], parts[k].border);
}
for (int k = 1; k < gpus; k++) {
  cudaStreamWaitEvent(parts[k].border, down[k], 0);
  cudaStreamWaitEvent(parts[k - 1].border, up[k], 0);
}
return 0;
// END(2)
// TODO(4): square_rows on each GPU, after all rows of the part are computed; copy the sums to their rows of
for (int k = 0; k < gpus; k++) {
  cudaSetDevice(k);
  cudaDeviceSynchronize();
  square_rows(&parts[k], parts[k].inner);
}
*square = 0;
for (int k = 0; k < gpus; k++) {
  cudaSetDevice(k);
  cudaMemcpyAsync(row_squares, parts[k].squares, parts[k].count * sizeof(double), cudaMemcpyDeviceToHost,
                  parts[k].inner);
  cudaStreamSynchronize(parts[k].inner);
  for (int r = 0; r < parts[k].count; r++)
    *square += row_squares[r];
}
return 0;
// END(4)
