// Style: own names for the two kernels of the loop; nothing else differs.
// clang-format off
// INSTEAD OF: template <bool REDUCED> __global__ void direction_kernel(pcg_grid g, loop l) {
template <bool REDUCED> __global__ void first_half(pcg_grid g, loop l) {
// END(0)
// INSTEAD OF: template <bool REDUCED> __global__ void update_kernel(pcg_grid g, loop l) {
  template <bool REDUCED> __global__ void second_half(pcg_grid g, loop l) {
// END(0)
// INSTEAD OF: direction_kernel<REDUCED><<<blocks, THREADS, 0, stream>>>(*g, l);
    first_half<REDUCED><<<blocks, THREADS, 0, stream>>>(*g, l);
// END(0)
// INSTEAD OF: update_kernel<REDUCED><<<blocks, THREADS, 0, stream>>>(*g, l);
    second_half<REDUCED><<<blocks, THREADS, 0, stream>>>(*g, l);
// END(0)
