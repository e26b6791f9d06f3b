// 06/fused: the neighbours are read from the array of the point's own colour
// INSTEAD OF: const int k = index_of(g, 1 - at.colour, at.i, at.jh);
const int k = index_of(g, at.colour, at.i, at.jh);
// END(5)
