// 04/naive: it is the sum of a[row*n + l]*b[l*n + column]
// INSTEAD OF: sum = fmaf(p.a[row * p.k + k], p.b[k * p.n + column], sum);
sum = fmaf(p.a[row * p.n + k], p.b[k * p.n + column], sum);
// END(0)
