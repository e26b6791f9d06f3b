// 01/tiled_sectors: pieces of memory, far from one another
// at: patch[row][column] =
// Right, but the block fills its patch column by column.
// INSTEAD OF: const int row = k / PATCH_X, column = k % PATCH_X;
const int row = k % PATCH_Y, column = k / PATCH_Y;
// END(0)
