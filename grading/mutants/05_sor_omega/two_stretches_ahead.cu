// 05/solve: expected at most one more stretch
// The host queues two stretches beyond the residual for which it waits.
// WITH HEADERS
// INSTEAD OF: enum { NORM_SLOTS = 2 };
enum { NORM_SLOTS = 3 };
// END(0)
// INSTEAD OF: const int ahead = c == 0 || done || c == last ? c : c + 1;
const int ahead = c == 0 || done || c == last ? c : c + 2 < last ? c + 2 : last;
// END(0)
