// 01/tiled_sectors: separate pieces of memory
// at: patch[row][column] =
// Correct, but the block fills its patch column by column.
// INSTEAD OF: const int row = k / PATCH_X, column = k % PATCH_X;
const int row = k % PATCH_Y, column = k / PATCH_Y;
// END(0)
