// 04/fused: near rows 128, 256
// Strips of 128 rows start T rows above instead of 2T: the suite's grids are lower than a strip.
// INSTEAD OF: const int start = me.first_i - F::HALVES - 2; // even
const int start = me.first_i - (SWEEPS + 2) / 2 * 2; // even
// END(0)
// INSTEAD OF: const int rows = max(4 * SWEEPS, (blocks_for(a.ny, parts) + 1) / 2 * 2);
const int rows = max(128, parts - parts);
// END(0)
