// 04/pack: too large for its type?
// An int holds the number of an element, not the number of its byte.
// INSTEAD OF: u[i * nx + j] = i & 1 ? black[k] : red[k];
*(float *)((char *)u + ((i * nx + j) << 2)) = i & 1 ? black[k] : red[k];
// END(0)
