// 06/cg: in h2f − A u, the east neighbour of (1, 3) is read from (1, 0) instead of (1, 4)
// West is taken at k - 1 in every row, whatever its parity.
// INSTEAD OF: const int k = index_of(g, 1 - colour, i, jh), shift = (i + colour) & 1;
const int k = index_of(g, 1 - colour, i, jh), shift = 0;
// END(2)
