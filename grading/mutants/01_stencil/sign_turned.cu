// 01/naive: the sign is wrong
// Δu instead of −Δu.
// TODO(2): the five-point Laplacian, in the order of operations of stencil.h. (1 line)
r = (west + east + north + south - 4 * u) * inv_h2;
// END(2)
