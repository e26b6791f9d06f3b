// 07/prolong: look for a mistake in the logic
// The coarse array is read with the row length of the fine one, up to its end.
// INSTEAD OF: const double *above = coarse_u + i / 2 * m, *below = coarse_u + (i + 1) / 2 * m;
const double *above = coarse_u + i / 2 * (m - 1), *below = coarse_u + (i + 1) / 2 * (m - 1);
// END(0)
