// 04/split: a sweep that also changes the boundary column j = nx − 1
// The last column is a neighbour, not an unknown.
// INSTEAD OF: if (i >= ny - 1 || j == 0 || j >= nx - 1)
if (i >= ny - 1 || j == 0 || j >= nx)
// END(2)
