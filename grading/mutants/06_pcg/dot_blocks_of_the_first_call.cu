// 06/dot: after a call with half of the elements
// 06/cg: passes
// 06/fused: passes
// The number of blocks of the first call serves all calls.
// INSTEAD OF: const int most = blocks_for(n, DOT_SPAN), blocks = most < PCG_DOT_BLOCKS ? most : PCG_DOT_BLOCKS;
static const int most = blocks_for(n, DOT_SPAN);
const int blocks = most < PCG_DOT_BLOCKS ? most : PCG_DOT_BLOCKS;
// END(1)
