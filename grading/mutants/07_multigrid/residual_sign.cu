// 07/residual: A u − h2f: the residual is h2f − A u
// The residual has the other sign.
// INSTEAD OF: r[i * n + j] = h2f[i * n + j] - product(n, i * n + j, u);
r[i * n + j] = product(n, i *n + j, u) - h2f[i * n + j];
// END(0)
