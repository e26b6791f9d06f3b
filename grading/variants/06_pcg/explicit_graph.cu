// Style: the graph built node by node instead of captured; the operator by loops over the grid, in blocks of another
// shape, in the host-driven solvers.
// TODO(2): at unknown points, diagonal times p minus its neighbours. (about 5 lines)
for (int colour = RED; colour <= BLACK; colour++)
  for (int i = 1 + blockIdx.y * blockDim.y + threadIdx.y; i < g.ny - 1; i += gridDim.y * blockDim.y)
    for (int jh = blockIdx.x * blockDim.x + threadIdx.x; jh < g.pitch; jh += gridDim.x * blockDim.x) {
      const int shift = (i + colour) & 1, k = index_of(g, colour, i, jh);
      const double *other = p + index_of(g, 1 - colour, i, jh);
      const double sum = ((other[shift - 1] + other[shift]) + other[-g.pitch]) + other[g.pitch];
      q[k] = is_unknown(g, colour, i, jh) ? g.diagonal * p[k] - sum : 0;
    }
// END(2)
// INSTEAD OF: apply_kernel<<<blocks_of(s->g, 2), dim3(WARP, WARPS)>>>(*s->g, p, q);
apply_kernel<<<blocks_of(s->g, 1), dim3(2 * WARP, WARPS / 2)>>>(*s->g, p, q);
// END(0)
// TODO(5): capture the launches of both kernels, LOOP_BLOCKS blocks at most; instantiate. (about 12 lines)
const int blocks = l.tiles < LOOP_BLOCKS ? l.tiles : LOOP_BLOCKS;
void *arguments[] = {(void *)g, (void *)&l};
cudaKernelNodeParams node = {};
cudaGraph_t graph;
cudaGraphNode_t last;
node.gridDim = dim3(blocks), node.blockDim = dim3(THREADS), node.kernelParams = arguments;
(void)stream;
CUDA_CHECK(cudaGraphCreate(&graph, 0));
for (int n = 0; n < 2 * l.check_every; n++) {
  cudaGraphNode_t next;
  node.func = n % 2 ? (void *)update_kernel<REDUCED> : (void *)direction_kernel<REDUCED>;
  CUDA_CHECK(cudaGraphAddKernelNode(&next, graph, &last, n > 0, &node));
  last = next;
}
CUDA_CHECK(cudaGraphInstantiate(stretch, graph, 0));
CUDA_CHECK(cudaGraphDestroy(graph));
return 0;
// END(5)
