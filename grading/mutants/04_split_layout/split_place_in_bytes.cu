// 04/split: too large for its type?
// The byte of a place as if both colours were in one array: twice as many as an int counts to.
// INSTEAD OF: u[k] = gs_point(other[left], other[left + 1], other[k - pitch], other[k + pitch], h2f[k]);
*(float *)((char *)u + (2 * k << 2) / 2) = gs_point(other[left], other[left + 1], other[k - pitch],
                                                    other[k + pitch], h2f[k]);
// END(0)
