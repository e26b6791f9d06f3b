// 05/sweep: the left neighbour at jh − 1 in every row
// West is taken at k - 1 in every row, whatever its parity.
// INSTEAD OF: const bool shifted = (i + colour) & 1; // west is at k, east at k + 1; otherwise at k - 1 and k
const bool shifted = false; // west is at k, east at k + 1; otherwise at k - 1 and k
// END(1)
