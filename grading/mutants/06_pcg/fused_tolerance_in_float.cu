// 06/fused: is what it compares with computed in double, from the tolerance and the norm of h2f?
// The square at which to stop is 0 in float if f is small.
// WITH HEADERS
// INSTEAD OF: const loop_state start = {square, 0, 0, goal * goal, 0, s->control.limit, RUNNING, 0};
const loop_state start = {square, 0, 0, (double)((float)goal *(float)goal), 0, s->control.limit, RUNNING, 0};
// END(0)
