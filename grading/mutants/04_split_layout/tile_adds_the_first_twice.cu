// 04/tile: the sums have the terms of the first tile twice
// The first tile is used twice.
// INSTEAD OF: calculate(tiles, sums);
if (k == 0)
  calculate(tiles, sums);
calculate(tiles, sums);
// END(4)
