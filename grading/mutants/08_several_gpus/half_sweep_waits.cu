// 08/overlap: waits for the device
// The host waits before the exchange.
// INSTEAD OF: const int part = sg_exchange(parts, gpus, colour);
for (int k = 0; k < gpus; k++)
  cudaStreamSynchronize(parts[k].border);
const int part = sg_exchange(parts, gpus, colour);
// END(0)
