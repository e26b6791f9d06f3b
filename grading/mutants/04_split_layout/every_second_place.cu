// 04/split_sectors: neighbouring lanes are 8 bytes apart
// at: u[k] = gs_point(
// Correct, but a thread has two neighbouring points, one after the other.
// TODO(2): find the point of this thread; leave the boundary alone; gs_point. (about 8 lines)
for (int n = 0; n < 2; n++) {
  const int jh = 2 * (blockIdx.x * POINT_X + threadIdx.x) + n;
  const int i = blockIdx.y * POINT_Y + threadIdx.y + 1;
  const int j = 2 * jh + ((i + colour) & 1);
  if (i >= ny - 1 || j == 0 || j >= nx - 1)
    continue;
  const int k = i * pitch + jh, left = left_index(i, jh, colour, pitch);
  u[k] = gs_point(other[left], other[left + 1], other[k - pitch], other[k + pitch], h2f[k]);
}
// END(2)
// INSTEAD OF: const dim3 grid(blocks_for((nx + 1) / 2, POINT_X), blocks_for(ny - 2, POINT_Y));
const dim3 grid(blocks_for((nx + 1) / 2, 2 * POINT_X), blocks_for(ny - 2, POINT_Y));
// END(2)
