// 06/fused: in A u, the east neighbour of (1, 3) is read from (1, 2) instead of (1, 4)
// INSTEAD OF: const double edge = one(x, shifted ? k + 2 : k - 1);
const double edge = one(x, shifted ? k + 1 : k - 1);
// END(0)
