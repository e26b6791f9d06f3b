// 06/fused: u moves on after the last iteration: does the kernel that changes u do nothing unless the state is RUNNING?
// INSTEAD OF: template <class Operator> __global__ void update_kernel(Operator a, loop l) {
template <class Operator> __global__ void update_kernel(Operator a, loop l) {
  const int RUNNING = l.state->status; // so that no status is another one
  // END(5)
