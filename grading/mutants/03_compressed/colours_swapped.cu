// 03/sweep: what the other colour gives, or black before red: the colours are swapped
// The kernel takes colour 0 for black.
// INSTEAD OF: const int j = compressed_j(i, jh, colour), k = i * nx + j;
const int j = compressed_j(i, jh, 1 - colour), k = i * nx + j;
// END(3)
