// Style: the step by a pointer to a device function.
// clang-format off
// INSTEAD OF: enum { NAIVE_X = 32, NAIVE_Y = 8 };
enum { NAIVE_X = 64, NAIVE_Y = 4 };
typedef float (*point)(float, float, float, float, float, float, float);
static __device__ __noinline__ float step(float u, float w, float e, float n, float s, float a, float b) { return apply_point(u, w, e, n, s, a, b); }
__device__ point chosen = step;
// END(0)
// INSTEAD OF: f[k] = interior ? apply_point(u[k], u[k - 1], u[k + 1], u[k - nx], u[k + nx], inv_h2, kappa2) : u[k];
f[k] = interior ? chosen(u[k], u[k - 1], u[k + 1], u[k - nx], u[k + nx], inv_h2, kappa2) : u[k];
// END(0)
