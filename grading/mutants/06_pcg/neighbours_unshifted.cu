// 06/cg: the residual before the first iteration is wrong
// West is taken at k - 1 in every row, whatever its parity.
// INSTEAD OF: const int k = index_of(g, 1 - colour, i, jh), shift = (i + colour) & 1;
const int k = index_of(g, 1 - colour, i, jh), shift = 0;
// END(2)
