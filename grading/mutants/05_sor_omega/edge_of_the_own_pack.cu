// 05/sweep: in a red half-sweep, the east neighbour of (1, 3) is read from (1, 2) instead of (1, 4)
// INSTEAD OF: const Real edge = other[shifted ? k + WIDTH : k - 1];
const Real edge = other[shifted ? k + 1 : k - 1];
// END(0)
