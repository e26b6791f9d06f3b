// The kernels of ../speed.cu in OpenCL C, which has no shuffles.
#define x_of_block get_group_id(0)
#define y_of_block get_group_id(1)
#define sync() barrier(CLK_LOCAL_MEM_FENCE)

kernel void stencil(int n, global const float *u, global float *f) {
  int j = get_global_id(0), i = get_global_id(1);
  if (i >= n || j >= n)
    return;
  int k = i * n + j;
  bool interior = 0 < i && i < n - 1 && 0 < j && j < n - 1;
  f[k] = interior ? 4 * u[k] - u[k - 1] - u[k + 1] - u[k - n] - u[k + n] : u[k];
}

kernel void stencil_tiled(int n, global const float *u, global float *f) {
  local float tile[10][34];
  int x = get_local_id(0), y = get_local_id(1), j = x_of_block * 32 + x + 1, i = y_of_block * 8 + y + 1;
  for (int t = y * 32 + x; t < 340; t += 256) {
    int row = y_of_block * 8 + t / 34, column = x_of_block * 32 + t % 34;
    tile[t / 34][t % 34] = row < n && column < n ? u[row * n + column] : 0;
  }
  sync();
  if (i < n - 1 && j < n - 1)
    f[i * n + j] =
        4 * tile[y + 1][x + 1] - tile[y + 1][x] - tile[y + 1][x + 2] - tile[y][x + 1] - tile[y + 2][x + 1];
}

kernel void product(int n, global const float *a, global const float *b, global float *c) {
  local float left[8][128], right[8][128];
  int t = get_local_id(0), x = t % 16 * 8, y = t / 16 * 8, row = y_of_block * 128, column = x_of_block * 128;
  float sum[8][8] = {{0}};
  for (int first = 0; first < n; first += 8) {
    float4 v = vload4(0, a + (row + t / 2) * n + first + t % 2 * 4);
    left[t % 2 * 4][t / 2] = v.x;
    left[t % 2 * 4 + 1][t / 2] = v.y;
    left[t % 2 * 4 + 2][t / 2] = v.z;
    left[t % 2 * 4 + 3][t / 2] = v.w;
    vstore4(vload4(0, b + (first + t / 32) * n + column + t % 32 * 4), 0, &right[t / 32][t % 32 * 4]);
    sync();
    for (int k = 0; k < 8; k++)
      for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
          sum[i][j] = fma(left[k][y + i], right[k][x + j], sum[i][j]);
    sync();
  }
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 8; j++)
      c[(row + y + i) * n + column + x + j] = sum[i][j];
}

kernel void product_tiled(int n, global const float *a, global const float *b, global float *c) {
  local float left[16][16], right[16][16];
  int x = get_local_id(0), y = get_local_id(1), j = x_of_block * 16 + x, i = y_of_block * 16 + y;
  float sum = 0;
  for (int first = 0; first < n; first += 16) {
    left[y][x] = a[i * n + first + x];
    right[y][x] = b[(first + y) * n + j];
    sync();
    for (int k = 0; k < 16; k++)
      sum = fma(left[y][k], right[k][x], sum);
    sync();
  }
  c[i * n + j] = sum;
}

kernel void histogram(int n, global const uint *bytes, global uint *total) {
  local uint bins[256];
  bins[get_local_id(0)] = 0;
  sync();
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
    uint four = bytes[i] + (uint)i * 2654435761u;
    for (int k = 0; k < 4; k++)
      atomic_inc(&bins[four >> (8 * k) & 255]);
  }
  sync();
  atomic_add(&total[get_local_id(0)], bins[get_local_id(0)]);
}

kernel void scan(int n, global const float *x, global float *y) {
  local float s[2][256];
  int t = get_local_id(0), from = 0;
  s[0][t] = x[get_global_id(0)];
  sync();
  for (int d = 1; d < 256; d *= 2) {
    s[1 - from][t] = t >= d ? s[from][t] + s[from][t - d] : s[from][t];
    from = 1 - from;
    sync();
  }
  y[get_global_id(0)] = s[from][t];
}

kernel void reduction(int n, global const float *x, global float *sums) {
  local float s[256];
  int t = get_local_id(0);
  s[t] = x[x_of_block * 512 + t] + x[x_of_block * 512 + 256 + t];
  sync();
  for (int d = 128; d > 0; d /= 2) {
    if (t < d)
      s[t] += s[t + d];
    sync();
  }
  if (t == 0)
    sums[x_of_block] = s[0];
}

kernel void red_black(int quads, global const float4 *black, global const float4 *f, global float4 *red) {
  int j = get_global_id(0), i = get_global_id(1) + 1, k = i * quads + j;
  float4 n = black[k - quads], s = black[k + quads], c = black[k], h = f[k];
  float next = i % 2 ? black[k + 1].x : black[k - 1].w;
  float4 e = i % 2 ? (float4)(c.y, c.z, c.w, next) : (float4)(next, c.x, c.y, c.z);
  red[k] = (n + s + c + e + h) / 4;
}

#define TRANSPOSE(name, pad)                                                                                 \
  kernel void name(int n, global const float *a, global float *b) {                                          \
    local float tile[32][32 + pad];                                                                          \
    int x = get_local_id(0), y = get_local_id(1), j = x_of_block * 32, i = y_of_block * 32;                  \
    for (int k = y; k < 32; k += 8)                                                                          \
      tile[k][x] = a[(i + k) * n + j + x];                                                                   \
    sync();                                                                                                  \
    for (int k = y; k < 32; k += 8)                                                                          \
      b[(j + k) * n + i + x] = tile[x][k];                                                                   \
  }
TRANSPOSE(transpose_conflicts, 0)
TRANSPOSE(transpose_padded, 1)
