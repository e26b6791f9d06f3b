// 01/tiled: does a float, which counts to 2²⁴ = 16777216, hold an index?
// The row of an element comes from a division in float.
// INSTEAD OF: patch[row][column] = stored ? u[i * mx + j] : 0;
const float place = (float)i * (float)mx + (float)j;
patch[row][column] = stored ? u[(int)place] : 0;
// END(3)
