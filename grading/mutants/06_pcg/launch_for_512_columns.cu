// 06/cg: smaller grids are correct
// 06/fused: smaller grids are correct
// 06/ssor: columns 511 to
// Tiles for rows of at most 512 points.
// WITH HEADERS
// INSTEAD OF: return dim3(blocks_for(g->pitch, WARP), blocks_for(g->ny - 2, WARPS), colours);
const int across = blocks_for(g->pitch, WARP);
return dim3(across < 8 ? across : 8, blocks_for(g->ny - 2, WARPS), colours);
// END(0)
// INSTEAD OF: const int n = colours * s->n / 2, across = blocks_for(s->g->pitch, TILE_X);
const int n = colours * s->n / 2, all = blocks_for(s->g->pitch, TILE_X), across = all < 4 ? all : 4;
// END(0)
