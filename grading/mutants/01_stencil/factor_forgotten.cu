// 01/naive: without the factor 1/h²
// The differences, without the division.
// TODO(2): the five-point Laplacian, in the order of operations of stencil.h. (1 line)
r = 4 * u - west - east - north - south;
// END(2)
