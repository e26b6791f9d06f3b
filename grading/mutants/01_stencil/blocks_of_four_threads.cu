// 01/naive_sectors: 4 of 32 lanes are active
// Each warp has four points.
// INSTEAD OF: enum { NAIVE_X = 32, NAIVE_Y = 8 };
enum { NAIVE_X = 4, NAIVE_Y = 1 };
// END(0)
