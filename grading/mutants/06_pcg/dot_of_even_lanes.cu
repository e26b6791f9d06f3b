// 06/dot: it is the sum over one in 2 lanes of each warp
// INSTEAD OF: for (int distance = WARP / 2; distance > 0; distance /= 2)
for (int distance = WARP / 2; distance > 1; distance /= 2)
// END(0)
