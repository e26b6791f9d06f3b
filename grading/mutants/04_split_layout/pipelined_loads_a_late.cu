// 04/pipelined: the tile of A is that of the step before, from the second step of 8 terms on
// INSTEAD OF: const float4 a = load_entries<ALIGNED>(p.a, p.m, p.k, row, k + TILE_K + me.a_column);
const float4 a = load_entries<ALIGNED>(p.a, p.m, p.k, row, k + me.a_column);
// END(5)
