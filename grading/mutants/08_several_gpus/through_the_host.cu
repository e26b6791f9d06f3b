// 08/exchange: 0 copies between the GPUs in 4 exchanges: expected 16: one row in each direction between neighbours, by cudaMemcpyPeerAsync
// The host fetches each row and sends it.
// TODO(2): each part sends its border rows to the neighbours that it has and records `sent`; then each border stream
static double row[1 << 15];
for (int k = 0; k < gpus - 1; k++) {
  const sg_part *upper = &parts[k], *lower = upper + 1;
  const size_t bytes = upper->pitch * sizeof(double);
  cudaDeviceSynchronize();
  cudaMemcpy(row, row_of(upper, colour, upper->count), bytes, cudaMemcpyDeviceToHost);
  cudaMemcpy(row_of(lower, colour, 0), row, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(row, row_of(lower, colour, 1), bytes, cudaMemcpyDeviceToHost);
  cudaMemcpy(row_of(upper, colour, upper->count + 1), row, bytes, cudaMemcpyHostToDevice);
}
return 0;
// END(2)
