// 06/fused_copy: 1 block of 256 threads
// 06/reduced_copy: 1 block of 256 threads
// One block makes each kernel of the loop.
// INSTEAD OF: const int tile_count = tiles_count(l.t), blocks = tile_count < LOOP_BLOCKS ? tile_count : LOOP_BLOCKS;
const int blocks = tiles_count(l.t) > 0;
// END(0)
