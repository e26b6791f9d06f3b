// 06/fused: 1 launch may run at the same time as an earlier launch of another stream, or another branch of a graph
// The graph of an iteration is a child of the batch's, and nothing orders its two nodes.
// TODO(5): capture the launches of both kernels, LOOP_BLOCKS blocks at most; instantiate. (about 12 lines)
pcg_grid grid = *g;
void *arguments[] = {&grid, &l};
cudaKernelNodeParams node = {};
node.gridDim = l.tiles < LOOP_BLOCKS ? l.tiles : LOOP_BLOCKS;
node.blockDim = THREADS;
node.kernelParams = arguments;
cudaGraph_t iteration, batch;
cudaGraphNode_t last, unused;
CUDA_CHECK(cudaGraphCreate(&iteration, 0));
CUDA_CHECK(cudaGraphCreate(&batch, 0));
node.func = (void *)direction_kernel<REDUCED>;
CUDA_CHECK(cudaGraphAddKernelNode(&unused, iteration, NULL, 0, &node));
node.func = (void *)update_kernel<REDUCED>;
CUDA_CHECK(cudaGraphAddKernelNode(&unused, iteration, NULL, 0, &node));
for (int n = 0; n < l.check_every; n++) {
  const cudaGraphNode_t before = last;
  CUDA_CHECK(cudaGraphAddChildGraphNode(&last, batch, n > 0 ? &before : NULL, n > 0, iteration));
}
CUDA_CHECK(cudaGraphInstantiate(stretch, batch, 0));
CUDA_CHECK(cudaGraphDestroy(iteration));
CUDA_CHECK(cudaGraphDestroy(batch));
return 0;
// END(5)
