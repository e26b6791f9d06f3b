// 05/matrix: whose norms overflow
// An infinite norm goes unnoticed.
// INSTEAD OF: if (!isfinite(before) || !isfinite(after)) {
if (isnan(before) || isnan(after)) {
// END(0)
