// 03/walk_copy: most of the time goes into walk_kernel
// Correct, but each lane has the loads of one point in flight.
// INSTEAD OF: enum { POINTS = 4 };
enum { POINTS = 1 };
// END(4)
