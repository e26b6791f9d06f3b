// 06/ssor: Jacobi's preconditioner
// The neighbours are left out.
// INSTEAD OF: z[k] = s * r[k] + c * neighbours(g, colour, i, jh, factor, x);
z[k] = s * r[k] + 0 * c * neighbours(g, colour, i, jh, factor, x);
// END(3)
