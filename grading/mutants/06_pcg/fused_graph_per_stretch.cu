// 06/fused: makes 2 executable graphs for 2 stretches: expected none: make the graph of a stretch once
// Each stretch is captured anew.
// WITH HEADERS
// INSTEAD OF: static void run_stretches(solve *s, const loop &l, cudaStream_t stream, cudaGraphExec_t stretch) {
static void run_stretches(solve *s, const loop &l, cudaStream_t stream, loop_capture *capture) {
  // END(0)
  // INSTEAD OF: CUDA_CHECK(cudaGraphLaunch(stretch, stream));
  cudaGraphExec_t stretch;
  capture(s->g, l, stream, &stretch);
  CUDA_CHECK(cudaGraphLaunch(stretch, stream));
  CUDA_CHECK(cudaGraphExecDestroy(stretch));
  // END(0)
  // INSTEAD OF: run_stretches(s, l, stream, stretch);
  run_stretches(s, l, stream, capture);
  // END(0)
