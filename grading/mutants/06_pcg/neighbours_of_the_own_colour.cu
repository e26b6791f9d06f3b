// 06/cg: the neighbours are read from the array of the point's own colour
// INSTEAD OF: const int k = index_of(g, 1 - colour, i, jh), shift = (i + colour) & 1;
const int k = index_of(g, colour, i, jh), shift = (i + colour) & 1;
// END(2)
