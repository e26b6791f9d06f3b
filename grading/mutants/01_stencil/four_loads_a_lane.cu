// 01/marching_sectors: would be enough: neighbouring lanes are 16 bytes apart
// at: loaded.u[n] = row[
// Correct, but never uses float4.
// INSTEAD OF: if (nx % MARCH_COLUMNS == 0)
if (nx < 0)
// END(0)
