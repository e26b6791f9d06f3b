// 03/identical: do not match bit for bit
// Right within rounding, but in another order of operations than compressed.h states.
// INSTEAD OF: u[k] = (u[k - 1] + u[k + 1] + u[k - nx] + u[k + nx] + h2f[k]) * 0.25f;
u[k] = (u[k - nx] + u[k + nx] + u[k - 1] + u[k + 1] + h2f[k]) * 0.25f;
// END(3)
