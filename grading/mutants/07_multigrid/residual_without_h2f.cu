// 07/residual: −A u: h2f is missing
// The right-hand side is forgotten.
// INSTEAD OF: r[i * n + j] = h2f[i * n + j] - product(n, i * n + j, u);
r[i * n + j] = -product(n, i *n + j, u);
// END(0)
