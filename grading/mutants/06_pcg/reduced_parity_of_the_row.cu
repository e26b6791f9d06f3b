// 06/reduced: S p is that of rows whose shift is inverted
// INSTEAD OF: const bool shifted = (at.i + BLACK) & 1, north_inside = at.i > 1, south_inside = at.i < g.ny - 2;
const bool shifted = at.i & 1, north_inside = at.i > 1, south_inside = at.i < g.ny - 2;
// END(0)
