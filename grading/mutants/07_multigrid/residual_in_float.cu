// 07/residual: look for a float variable
// The residual is rounded to float.
// INSTEAD OF: r[i * n + j] = h2f[i * n + j] - product(n, i * n + j, u);
r[i * n + j] = (float)(h2f[i * n + j] - product(n, i *n + j, u));
// END(0)
