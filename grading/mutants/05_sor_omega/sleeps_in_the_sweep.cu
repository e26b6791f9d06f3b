// 05/sweep_copy: a kernel calls __nanosleep: expected that no thread sleeps
// INSTEAD OF: const place p = this_place<Real>(1, colour);
const place p = this_place<Real>(1, colour);
__nanosleep(100);
// END(1)
