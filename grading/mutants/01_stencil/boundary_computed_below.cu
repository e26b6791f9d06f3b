// 01/marching: on the boundary A is the identity
// INSTEAD OF: const bool interior = 0 < i && i < ny - 1 && 0 < j + n && j + n < nx - 1;
const bool interior = 0 < i && i < ny && 0 < j + n && j + n < nx - 1;
// END(0)
