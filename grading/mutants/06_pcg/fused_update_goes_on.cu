// 06/fused: u moves on after the last iteration: does the kernel that changes u do nothing unless the state is RUNNING?
// INSTEAD OF: template <bool REDUCED> __global__ void update_kernel(pcg_grid g, loop l) {
template <bool REDUCED> __global__ void update_kernel(pcg_grid g, loop l) {
  const int RUNNING = l.state->status; // so that no status is another one
  // END(5)
