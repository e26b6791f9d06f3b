// 03/sweep: the result for the other colour, or for black before red: the colours are swapped
// The kernel takes colour 0 for black.
// INSTEAD OF: const int j = compressed_j(i, jh, colour), k = i * nx + j;
const int j = compressed_j(i, jh, 1 - colour), k = i * nx + j;
// END(3)
