// 06/fused: copies to the host have
// A stretch is one iteration, whatever check_every says: the host gets the state after each.
// INSTEAD OF: loop l = {tiles_of(s->g, Operator::COLOURS), u, r, device_array<double>(n), device_array<double>(n)};
s->control.check_every = 1;
loop l = {tiles_of(s->g, Operator::COLOURS), u, r, device_array<double>(n), device_array<double>(n)};
// END(0)
