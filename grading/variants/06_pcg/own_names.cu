// Style: own names for the two kernels of the loop and for their arguments; nothing else differs.
// clang-format off
// INSTEAD OF: template <bool REDUCED> __global__ void direction_kernel(pcg_grid g, loop l) {
template <bool REDUCED> __global__ void first_half(const pcg_grid shape, const loop everything) {
  const pcg_grid &g = shape;
  const loop &l = everything;
// END(0)
// INSTEAD OF: template <bool REDUCED> __global__ void update_kernel(pcg_grid g, loop l) {
template <bool REDUCED> __global__ void second_half(const pcg_grid shape, const loop everything) {
  const pcg_grid &g = shape;
  const loop &l = everything;
// END(0)
// INSTEAD OF: direction_kernel<REDUCED><<<blocks, THREADS, 0, stream>>>(*g, l);
    const dim3 wide(blocks);
    const dim3 high(THREADS);
    first_half<REDUCED><<<wide, high, 0, stream>>>(*g, l);
// END(0)
// INSTEAD OF: update_kernel<REDUCED><<<blocks, THREADS, 0, stream>>>(*g, l);
    second_half<REDUCED><<<wide, high, 0, stream>>>(*g, l);
// END(0)
