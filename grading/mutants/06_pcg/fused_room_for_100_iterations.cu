// 06/fused: the history's relative residual after
// There is room for the squares of 100 iterations of a stretch; later ones replace them.
// INSTEAD OF: l.squares[s->iteration % l.check_every] = square;
l.squares[s->iteration % l.check_every % 100] = square;
// END(0)
