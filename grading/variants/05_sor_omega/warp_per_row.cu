// Style: the sparse product by a warp per row with shuffles; points of the grid loaded as double2 and float4
// by hand.
// TODO(1): west and east of all points are WIDTH + 1 elements of the other colour. (about 14 lines)
constexpr int WIDTH = pack<Real>::WIDTH;
const Real *other = u + (colour ? 0 : g.ny * g.pitch) + i * g.pitch + jh;
const Real *source = h2f + (colour ? g.ny * g.pitch : 0) + i * g.pitch + jh;
const int shifted = (i + colour) & 1;
const pack<Real> four = load(other), north = load(other - g.pitch), south = load(other + g.pitch),
                 f = load(source);
const Real fifth = other[shifted ? WIDTH : -1];
Real row[WIDTH + 1]; // of the five, or three, from the westernmost on
row[0] = shifted ? four.at[0] : fifth;
#pragma unroll
for (int m = 1; m < WIDTH; m++)
  row[m] = shifted ? four.at[m] : four.at[m - 1];
row[WIDTH] = shifted ? fifth : four.at[WIDTH - 1];
#pragma unroll
for (int m = 0; m < WIDTH; m++) {
  Real s = row[m] + row[m + 1];
  s += north.at[m];
  s += south.at[m];
  sum.at[m] = s + f.at[m];
}
// END(1)
// TODO(3): minus the sum of the row's off-diagonal terms, divided by its diagonal element. (about 10 lines)
const int row = (blockIdx.x * SUM_THREADS + threadIdx.x) / 32, lane = threadIdx.x % 32;
if (row >= rows)
  return;
double diagonal = 0, sum = 0;
for (int e = row_start[row] + lane; e < row_start[row + 1]; e += 32)
  if (column[e] == row)
    diagonal = value[e];
  else
    sum += value[e] * x[column[e]];
for (int away = 16; away; away /= 2) {
  diagonal += __shfl_xor_sync(0xffffffff, diagonal, away);
  sum += __shfl_xor_sync(0xffffffff, sum, away);
}
if (lane == 0)
  y[row] = -sum / diagonal;
// END(3)
// TODO(3): apply B twice, from x to y and back. (about 12 lines)
double *x = device_array<double>(rows), *y = device_array<double>(rows);
start_kernel<<<blocks_for(rows, SUM_THREADS), SUM_THREADS>>>(rows, x);
const int blocks = blocks_for(rows, SUM_THREADS / 32);
const int part = power_iteration(
    rows, x, 8 + (int)sqrt(rows) / 8,
    [=] {
      jacobi_csr_kernel<<<blocks, SUM_THREADS>>>(rows, row_start, column, value, x, y);
      jacobi_csr_kernel<<<blocks, SUM_THREADS>>>(rows, row_start, column, value, y, x);
      CUDA_CHECK(cudaGetLastError());
      return 0;
    },
    control, result);
CUDA_CHECK(cudaFree(x));
CUDA_CHECK(cudaFree(y));
return part;
// END(3)
