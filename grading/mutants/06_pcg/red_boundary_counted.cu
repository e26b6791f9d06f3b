// 06/reduced: with red points on the left and right boundary: they are 0
// Padding and boundary hold zeros, so only the points next to the boundary have a wrong centre.
// INSTEAD OF: const double west = j > 1 ? ((west2 + centre) + northwest) + southwest : 0;
const double west = j > 1 ? ((west2 + centre) + northwest) + southwest : centre + northwest + southwest;
// END(0)
// INSTEAD OF: const double east = j < g.nx - 2 ? ((centre + east2) + northeast) + southeast : 0;
const double east =
    j < g.nx - 2 ? ((centre + east2) + northeast) + southeast : centre + northeast + southeast;
// END(0)
