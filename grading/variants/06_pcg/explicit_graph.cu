// Style: the graph built node by node instead of captured; the operator by a point a thread in the host-
// driven solvers.
// TODO(2): diagonal times p minus its neighbours; zero at boundary and padding. (about 8 lines)
for_places(g, t, RED, [=](place at) {
  const int k = index_of(g, at), shift = (at.i + at.colour) & 1;
  const double *other = p + index_of(g, {at.i, at.jh, 1 - at.colour});
  for (int m = 0; m < 2; m++) {
    const double sum = ((other[m + shift - 1] + other[m + shift]) + other[m - g.pitch]) + other[m + g.pitch];
    q[k + m] = is_unknown(g, at, m) ? g.diagonal * p[k + m] - sum : 0;
  }
});
// END(2)
// TODO(5): capture the launches of both kernels, LOOP_BLOCKS blocks at most; instantiate. (about 13 lines)
const int tile_count = tiles_count(l.t), blocks = tile_count < LOOP_BLOCKS ? tile_count : LOOP_BLOCKS;
void *arguments[] = {(void *)&a, (void *)&l};
cudaKernelNodeParams node = {};
cudaGraph_t graph;
cudaGraphNode_t last;
node.gridDim = dim3(blocks), node.blockDim = dim3(THREADS), node.kernelParams = arguments;
(void)stream;
CUDA_CHECK(cudaGraphCreate(&graph, 0));
for (int n = 0; n < 2 * l.check_every; n++) {
  cudaGraphNode_t next;
  node.func = n % 2 ? (void *)update_kernel<Operator> : (void *)direction_kernel<Operator>;
  CUDA_CHECK(cudaGraphAddKernelNode(&next, graph, &last, n > 0, &node));
  last = next;
}
CUDA_CHECK(cudaGraphInstantiate(stretch, graph, 0));
CUDA_CHECK(cudaGraphDestroy(graph));
return 0;
// END(5)
