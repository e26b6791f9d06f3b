// 01/naive: is an index, a number of points or a number of bytes too large for its type?
// An int holds the number of a point, not the number of its byte: on 32768 x 32768 points it is negative.
// INSTEAD OF: f[k] = interior ? apply_point(u[k], u[k - 1], u[k + 1], u[k - nx], u[k + nx], inv_h2, kappa2) : u[k];
const int place = k << 2;
*(float *)((char *)f + place) = interior ? apply_point(u[k], u[k - 1], u[k + 1], u[k - nx], u[k + nx], inv_h2,
                                                       kappa2)
                                         : u[k];
// END(0)
