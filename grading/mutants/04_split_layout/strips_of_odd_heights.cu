// 04/fused: fused, nx 5
// The rows of a block are not made even: where their number is odd, red and black are exchanged in every second block.
// INSTEAD OF: const int rows = max(4 * SWEEPS, (blocks_for(a.ny, parts) + 1) / 2 * 2);
const int rows = max(4 * SWEEPS, blocks_for(a.ny, parts));
// END(0)
