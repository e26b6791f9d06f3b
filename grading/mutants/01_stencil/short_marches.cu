// 01/marching_sectors: % of the sectors, in 1 launch, all of them full: which accesses could be avoided
// Marches of two rows: each reads two rows of the halo.
// INSTEAD OF: enum { MARCH_ROWS = 8, MARCH_STEP = 4 };
enum { MARCH_ROWS = 2, MARCH_STEP = 2 };
// END(0)
