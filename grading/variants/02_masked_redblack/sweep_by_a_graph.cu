// Style: a graph of two kernels for each sweep.
// TODO(3): red, then black. (about 3 lines)
static cudaStream_t stream;
if (!stream)
  CUDA_CHECK(cudaStreamCreate(&stream));
cudaGraph_t graph;
cudaGraphExec_t exec;
CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
for (int colour = 0; colour < 2; colour++)
  masked_kernel<<<grid_for(nx, ny), dim3(BLOCK_X, BLOCK_Y), 0, stream>>>(nx, ny, colour, h2f, u);
CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
CUDA_CHECK(cudaGraphInstantiate(&exec, graph, 0));
CUDA_CHECK(cudaGraphLaunch(exec, stream));
CUDA_CHECK(cudaGraphExecDestroy(exec));
CUDA_CHECK(cudaGraphDestroy(graph));
return 0;
// END(3)
