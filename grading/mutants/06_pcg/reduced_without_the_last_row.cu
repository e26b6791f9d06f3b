// 06/reduced: look at S p, where a red point on the boundary counts as 0
// Red points of the last interior row count as boundary points.
// INSTEAD OF: const bool shifted = (at.i + BLACK) & 1, north_inside = at.i > 1, south_inside = at.i < g.ny - 2;
const bool shifted = (at.i + BLACK) & 1, north_inside = at.i > 1, south_inside = at.i < g.ny - 3;
// END(0)
