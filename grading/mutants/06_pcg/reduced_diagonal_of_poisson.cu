// 06/reduced: with D = 4 or with ¼ instead of 1/diagonal: both have the diagonal 4 + κ²h²
// The red points are eliminated with the diagonal of κ = 0.
// INSTEAD OF: part = loop_solve(s, reduced_operator{*g, 1 / g->diagonal}, half, u + half, s->r + half, square);
part = loop_solve(s, reduced_operator{*g, 0.25}, half, u + half, s->r + half, square);
// END(0)
