// 06/ssor: too large for its type?
// An int holds the number of an element, not the number of its byte.
// INSTEAD OF: z[k] = s * r[k] + c * neighbours(g, colour, i, jh, factor, x);
*(double *)((char *)z + (k << 3)) = s * r[k] + c * neighbours(g, colour, i, jh, factor, x);
// END(0)
