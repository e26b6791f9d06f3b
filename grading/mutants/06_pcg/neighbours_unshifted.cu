// 06/cg: the residual before the first iteration is wrong
// West is taken at k - 1 in every row, whatever its parity.
// INSTEAD OF: const bool shifted = (p.i + p.colour) & 1;
const bool shifted = false;
// END(2)
