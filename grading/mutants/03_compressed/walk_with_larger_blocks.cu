// 03/walk: 5 blocks of 128 threads: expected 5 blocks of 32 x 2 threads
// Four warps per block instead of two.
// INSTEAD OF: enum { LANES = 32, WALK_WARPS = 2 }; // WALK_WARPS: warps of a block
enum { LANES = 32, WALK_WARPS = 4 };
// END(4)
