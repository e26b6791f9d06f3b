// 06/dot: too large for its type?
// An int holds the number of an element, not the number of its byte.
// INSTEAD OF: sum += x[k] * y[k];
sum += x[k] * *(const double *)((const char *)y + (k << 3));
// END(0)
