// 05/radius: jacobi_radius_grid: a call after ones with other problems differs from a single call
// The estimates of an earlier call stay.
// INSTEAD OF: estimates e = {};
static estimates e = {};
e.settled = 0;
// END(3)
