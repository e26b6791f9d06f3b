// 06/ssor: a call after others differs from a single call
// 06/cg: passes
// The tiles of the first call serve all calls.
// INSTEAD OF: const dim3 blocks = blocks_of(g, 1), threads(WARP, WARPS);
static const dim3 blocks = blocks_of(g, 1);
const dim3 threads(WARP, WARPS);
// END(3)
