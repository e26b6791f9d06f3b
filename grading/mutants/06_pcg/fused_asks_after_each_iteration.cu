// 06/fused: copies to the host have
// A stretch is one iteration, whatever check_every says: the host gets the state after each.
// WITH HEADERS
// INSTEAD OF: loop l = {across, down, across * down * colours, 1 / s->g->diagonal, u, r};
s->control.check_every = 1;
loop l = {across, down, across *down *colours, 1 / s->g->diagonal, u, r};
// END(0)
