// 06/fused: out-of-bounds write of 8 bytes, directly past the end of the array that the pointer at byte 56 of parameter 2 points to (8448 bytes)
// A block for each tile: more than LOOP_BLOCKS of them write past the end of partial.
// TODO(5): capture the launches of both kernels, LOOP_BLOCKS blocks at most; instantiate. (about 12 lines)
const int blocks = l.tiles;
cudaGraph_t graph;
CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
for (int n = 0; n < l.check_every; n++) {
  direction_kernel<REDUCED><<<blocks, THREADS, 0, stream>>>(*g, l);
  update_kernel<REDUCED><<<blocks, THREADS, 0, stream>>>(*g, l);
}
CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
CUDA_CHECK(cudaGraphInstantiate(stretch, graph, 0));
CUDA_CHECK(cudaGraphDestroy(graph));
return 0;
// END(5)
