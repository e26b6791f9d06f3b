// 06/ssor: at interior points only, rows 9999 to
// The rows after 9999 are zero.
// INSTEAD OF: z[k] = s * r[k] + c * neighbours(g, colour, i, jh, factor, x);
z[k] = i < 10000 ? s * r[k] + c * neighbours(g, colour, i, jh, factor, x) : 0;
// END(0)
