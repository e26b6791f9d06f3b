// 08/overlap: one launch computes border rows and inner rows of GPU 0
// All rows of a part are computed, then sent.
// TODO(3): the border rows, then sg_exchange, then the inner rows. border_done and inner_done order the two streams
for (int k = 0; k < gpus; k++) {
  cudaSetDevice(parts[k].gpu);
  sweep_rows(&parts[k], omega, colour, 1, parts[k].count + 1, parts[k].border);
}
return sg_exchange(parts, gpus, colour);
// END(3)
