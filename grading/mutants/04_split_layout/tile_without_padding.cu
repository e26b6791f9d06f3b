// 04/tile_conflicts: bank conflict
// The movers' transposing stores meet in pairs.
// INSTEAD OF: floats = FOUR;
floats = 0;
// END(4)
