// 06/dot: it is the sum over the first 16 lanes of each warp
// The first distance of the shuffles is 8.
// INSTEAD OF: for (int distance = WARP / 2; distance > 0; distance /= 2)
for (int distance = WARP / 4; distance > 0; distance /= 2)
// END(1)
