// 04/tile_requests: loads of 4 bytes per lane are
// at: ? p[
// Correct, but A and B are never loaded by float4.
// clang-format off
// INSTEAD OF: if (row < rows && ALIGNED && column < columns)
if (row < 0)
// END(0)
// INSTEAD OF: if (row < rows && !ALIGNED) {
if (row < rows) {
// END(0)
