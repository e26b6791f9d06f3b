// 05/study: the relative residual after
// There is room for the norms of 64 sweeps; later ones replace them.
// INSTEAD OF: sor_squares(n, h2r, partial, sums_of_squares + m);
sor_squares(n, h2r, partial, sums_of_squares + m % 64);
// END(0)
