// Style: no graph: the stretch is launched kernel by kernel.
// INSTEAD OF: CUDA_CHECK(cudaGraphLaunch(stretch, stream));
(void)stretch;
launch(stream);
// END(0)
// INSTEAD OF: static void run_stretches(solve *s, const loop &l, cudaStream_t stream, cudaGraphExec_t stretch) {
template <class Launch>
static void run_stretches(solve *s, const loop &l, cudaStream_t stream, cudaGraphExec_t stretch,
                          Launch launch) {
  // END(0)
  // INSTEAD OF: run_stretches(s, l, stream, stretch);
  const int tile_count = tiles_count(l.t), blocks = tile_count < LOOP_BLOCKS ? tile_count : LOOP_BLOCKS;
  run_stretches(s, l, stream, stretch, [=](cudaStream_t stream) {
    for (int n = 0; n < l.check_every; n++) {
      direction_kernel<<<blocks, THREADS, 0, stream>>>(a, l);
      update_kernel<<<blocks, THREADS, 0, stream>>>(a, l);
    }
  });
  // END(0)
