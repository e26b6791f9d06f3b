// 06/traffic: which values were already in
// 06/reduced_traffic: which values were already in
// Correct, but the direction is stored once more, where the previous one was.
// INSTEAD OF: store(l.u + at.k, u);
store(l.u + at.k, u);
store((s->iteration % 2 ? l.p1 : l.p0) + at.k, p);
// END(5)
