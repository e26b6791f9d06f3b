// Style: own names for the two kernels of the loop; nothing else differs.
// clang-format off
// INSTEAD OF: template <class Operator> __global__ void direction_kernel(Operator a, loop l) {
template <class Operator> __global__ void first_half(Operator a, loop l) {
// END(0)
// INSTEAD OF: template <class Operator> __global__ void update_kernel(Operator a, loop l) {
  template <class Operator> __global__ void second_half(Operator a, loop l) {
// END(0)
// INSTEAD OF: direction_kernel<<<blocks, THREADS, 0, stream>>>(a, l);
    first_half<<<blocks, THREADS, 0, stream>>>(a, l);
// END(0)
// INSTEAD OF: update_kernel<<<blocks, THREADS, 0, stream>>>(a, l);
    second_half<<<blocks, THREADS, 0, stream>>>(a, l);
// END(0)
