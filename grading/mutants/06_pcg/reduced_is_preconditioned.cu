// 06/reduced: the host waits for the device
// reduced_cg is pcg_solve with ω = 1, whose iterates are the same.
// INSTEAD OF: part = loop_solve(&s, 1, u + half, s.r + half, square, capture_stretch<true>);
part = iterate_with(&s, 1);
// END(0)
