// 06/fused: 1 stream, event or graph is never destroyed
// 06/pcg: array of pinned memory is never freed
// A graph and pinned memory stay when a solve has ended.
// INSTEAD OF: CUDA_CHECK(cudaGraphDestroy(graph));
(void)graph;
// END(0)
// INSTEAD OF: const int part = iterate(s, omega, z, p, q);
double *spare;
CUDA_CHECK(cudaMallocHost((void **)&spare, sizeof *spare));
const int part = iterate(s, omega, z, p, q);
// END(0)
