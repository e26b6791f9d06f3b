// Style: one captured iteration, which is a child graph of the batch as often as it has iterations.
// TODO(5): capture the launches of both kernels, LOOP_BLOCKS blocks at most; instantiate. (about 12 lines)
const int blocks = l.tiles < LOOP_BLOCKS ? l.tiles : LOOP_BLOCKS;
cudaGraph_t iteration, batch;
CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
direction_kernel<REDUCED><<<blocks, THREADS, 0, stream>>>(*g, l);
update_kernel<REDUCED><<<blocks, THREADS, 0, stream>>>(*g, l);
CUDA_CHECK(cudaStreamEndCapture(stream, &iteration));
CUDA_CHECK(cudaGraphCreate(&batch, 0));
cudaGraphNode_t last = nullptr;
for (int n = 0; n < l.check_every; n++) {
  cudaGraphNode_t next;
  CUDA_CHECK(cudaGraphAddChildGraphNode(&next, batch, n > 0 ? &last : nullptr, n > 0 ? 1 : 0, iteration));
  last = next;
}
CUDA_CHECK(cudaGraphInstantiate(stretch, batch, 0));
CUDA_CHECK(cudaGraphDestroy(iteration));
CUDA_CHECK(cudaGraphDestroy(batch));
return 0;
// END(5)
