// 03/counters: of the lanes are active
// 03/lanes: of 32 lanes continue
// 03/requests: as for 03/lanes
// at: % 2
// A thread per column of one half of the row, then of the other, masked as in lab 02.
// TODO(3): find row and column of this thread; at interior points, the step of lab 02. (about 7 lines)
const int jh = blockIdx.x * blockDim.x + threadIdx.x;
const int i = blockIdx.y * blockDim.y + threadIdx.y;
for (int j = jh; j < nx - 1; j += (nx + 1) / 2) {
  const int k = i * nx + j;
  if (jh < (nx + 1) / 2 && 0 < i && i < ny - 1 && 0 < j && (i + j) % 2 == colour)
    u[k] = (u[k - 1] + u[k + 1] + u[k - nx] + u[k + nx] + h2f[k]) * 0.25f;
}
// END(3)
