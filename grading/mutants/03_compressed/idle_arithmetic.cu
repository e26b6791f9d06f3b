// 03/lanes: of 32 lanes continue
// Still masked, a thread per point; 20 idle additions in all lanes hide the sleeping half.
// TODO(3): find row and column of this thread; at interior points, the step of lab 02. (about 7 lines)
const int x = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
for (int side = 0; side < 2; side++) {
  const int j = 64 * (x / 32) + 32 * side + x % 32, k = i * nx + j;
  float idle = x;
  for (int n = 0; n < 20; n++)
    idle = idle * 0.5f + 1;
  if (0 < i && i < ny - 1 && 0 < j && j < nx - 1 && (i + j) % 2 == colour && idle != 0.1f)
    u[k] = (u[k - 1] + u[k + 1] + u[k - nx] + u[k + nx] + h2f[k]) * 0.25f;
}
// END(3)
