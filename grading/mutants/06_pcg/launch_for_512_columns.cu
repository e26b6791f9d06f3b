// 06/cg: smaller grids are correct
// 06/fused: smaller grids are correct
// 06/ssor: columns 511 to
// Tiles for rows of at most 512 points.
// INSTEAD OF: return {blocks_for(g->pitch, TILE_X), blocks_for(g->ny - 2, TILE_Y), colours};
const int across = blocks_for(g->pitch, TILE_X);
return {across < 4 ? across : 4, blocks_for(g->ny - 2, TILE_Y), colours};
// END(0)
