// 03/walk: it equals the initial u: nothing was written
// Whole steps alone: the points after the last one are left out.
// INSTEAD OF: for (int first = threadIdx.x; first < nx / 2; first += LANES * POINTS) {
for (int first = threadIdx.x; first - (int)threadIdx.x + LANES * POINTS <= nx / 2; first += LANES * POINTS) {
// END(4)
