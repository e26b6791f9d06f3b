// 01/naive: expected 1 to 1024x1024x64, and at most 1024 in all
// <<<block, grid>>> with a kernel that asks blockDim: right, in a scattered order, until ⌈nx/32⌉ · ⌈ny/8⌉
// exceeds 1024.
// TODO(2): find the point of this thread; apply_point inside, a copy on the boundary. (about 8 lines)
const int j = blockIdx.x * blockDim.x + threadIdx.x;
const int i = blockIdx.y * blockDim.y + threadIdx.y;
if (i >= ny || j >= nx)
  return;
const int k = i * nx + j;
const bool interior = 0 < i && i < ny - 1 && 0 < j && j < nx - 1;
f[k] = interior ? apply_point(u[k], u[k - 1], u[k + 1], u[k - nx], u[k + nx], inv_h2, kappa2) : u[k];
// END(2)
// TODO(2): launch enough blocks of 32 x 8 threads to cover every point. (about 4 lines)
const dim3 block(NAIVE_X, NAIVE_Y);
const dim3 grid(blocks_for(nx, NAIVE_X), blocks_for(ny, NAIVE_Y));
naive_kernel<<<block, grid>>>(nx, ny, inv_h2, kappa2, u, f);
return 0;
// END(2)
