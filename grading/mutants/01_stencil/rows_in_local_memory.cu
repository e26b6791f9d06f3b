// 01/marching_local: of the requests of local memory: an array is not in registers
// The rows in use are chosen by an index that the compiler does not know: they live in local memory, not in registers.
// INSTEAD OF: for (int n = 0; n < MARCH_STEP; n++)
#pragma unroll 1
for (int n = 0; n < MARCH_STEP; n++)
// END(0)
// INSTEAD OF: for (int n = 0; n < MARCH_STEP; n++) {
#pragma unroll 1
  for (int n = 0; n < MARCH_STEP; n++) {
// END(0)
