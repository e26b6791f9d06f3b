// 06/fused_copy: 1 block of 256 threads
// 06/reduced_copy: 1 block of 256 threads
// One block makes each kernel of the loop.
// INSTEAD OF: const int blocks = l.tiles < LOOP_BLOCKS ? l.tiles : LOOP_BLOCKS;
const int blocks = l.tiles > 0;
// END(0)
