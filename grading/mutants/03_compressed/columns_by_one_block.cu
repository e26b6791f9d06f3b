// 03/index: compressed_columns: 1 block with 32 threads in all
// One warp writes all columns.
// clang-format off
// INSTEAD OF: const int i = blockIdx.x;
for (int i = 0; i < rows; i++)
// END(0)
// INSTEAD OF: columns_kernel<<<ny, 32>>>(blocks_for(nx, 2), colour, columns);
columns_kernel<<<1, 32>>>(ny, blocks_for(nx, 2), colour, columns);
// END(0)
// INSTEAD OF: __global__ void columns_kernel(int width, int colour, int *columns) {
__global__ void columns_kernel(int rows, int width, int colour, int *columns) {
// END(0)
