// 06/ssor: with −c instead of c
// The neighbours are subtracted, as in A.
// INSTEAD OF: z[k] = s * r[k] + c * neighbours(g, colour, i, jh, factor, x);
z[k] = s * r[k] - c * neighbours(g, colour, i, jh, factor, x);
// END(3)
