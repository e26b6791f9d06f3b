// 01/host: expected naive_kernel: stencil.h says that apply_host calls apply_naive
// INSTEAD OF: const int part = apply_naive(nx, ny, inv_h2, kappa2, device_u, device_f);
const int part = apply_marching(nx, ny, inv_h2, kappa2, device_u, device_f);
// END(6)
