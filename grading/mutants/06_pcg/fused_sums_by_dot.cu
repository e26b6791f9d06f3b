// 06/traffic: sums by pcg_dot
// A kernel reads r once more for r·r.
// TODO(5): capture the launches of both kernels, LOOP_BLOCKS blocks at most; instantiate. (about 13 lines)
const int tile_count = tiles_count(l.t), blocks = tile_count < LOOP_BLOCKS ? tile_count : LOOP_BLOCKS;
cudaGraph_t graph;
CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
for (int n = 0; n < l.check_every; n++) {
  direction_kernel<<<blocks, THREADS, 0, stream>>>(a, l);
  update_kernel<<<blocks, THREADS, 0, stream>>>(a, l);
  dot_kernel<<<1, THREADS, 0, stream>>>(Operator::COLOURS * a.g.ny * a.g.pitch, l.r, l.r, l.partial);
}
CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
CUDA_CHECK(cudaGraphInstantiate(stretch, graph, 0));
CUDA_CHECK(cudaGraphDestroy(graph));
return 0;
// END(5)
