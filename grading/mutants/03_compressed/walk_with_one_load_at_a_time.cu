// 03/walk_copy: 2 warps for each multiprocessor: each needs several loads in flight
// Correct, but each lane has the loads of one point in flight.
// INSTEAD OF: enum { POINTS = 4 };
enum { POINTS = 1 };
// END(4)
