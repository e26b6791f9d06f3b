// 06/fused: out-of-bounds write of 8 bytes, directly past the end of the array that the pointer at byte 48 of parameter 2 points to (8448 bytes)
// A block for each tile: more than LOOP_BLOCKS of them write past the end of partial.
// TODO(5): capture the launches of both kernels, LOOP_BLOCKS blocks at most; instantiate. (about 13 lines)
const int blocks = tiles_count(l.t);
cudaGraph_t graph;
CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
for (int n = 0; n < l.check_every; n++) {
  direction_kernel<<<blocks, THREADS, 0, stream>>>(a, l);
  update_kernel<<<blocks, THREADS, 0, stream>>>(a, l);
}
CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
CUDA_CHECK(cudaGraphInstantiate(stretch, graph, 0));
CUDA_CHECK(cudaGraphDestroy(graph));
return 0;
// END(5)
