// 06/reduced: the relative residual after 1 iteration is
// Red points of the boundary are eliminated as if they were unknown.
// INSTEAD OF: const double west = j > 1 ? ((west2 + centre) + northwest) + southwest : 0;
const double west = ((west2 + centre) + northwest) + southwest;
// END(6)
