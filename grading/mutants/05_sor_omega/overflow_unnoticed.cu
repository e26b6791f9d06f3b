// 05/matrix: whose norms overflow
// A norm that is not finite goes unnoticed.
// INSTEAD OF: if (!isfinite(before) || !isfinite(after)) {
if (false) {
// END(0)
