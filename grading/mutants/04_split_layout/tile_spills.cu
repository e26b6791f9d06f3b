// 04/tile: passes
// 04/tile_tflops: registers of each thread do not fit
// clang-format off
// Six blocks on a multiprocessor leave 40 registers for a thread with 64 sums.
// INSTEAD OF: template <bool ALIGNED> __global__ void __launch_bounds__(TILE_THREADS, 2) tile_kernel(product p) {
template <bool ALIGNED> __global__ void __launch_bounds__(TILE_THREADS, 6) tile_kernel(product p) {
// END(4)
