// 01/host: cudaMalloc gets fewer bytes than an array has: expected 4294967296: is their number computed in int
// 32768 x 32768 floats are 2³² bytes, which is 0 as an int.
// INSTEAD OF: const size_t bytes = (size_t)nx * ny * sizeof *u;
const int bytes = nx * ny * (int)sizeof *u;
// END(0)
