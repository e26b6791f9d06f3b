// 03/walk: some wrong values are those from before the run
// INSTEAD OF: for (int first = threadIdx.x; first < nx / 2; first += LANES * POINTS) {
for (int first = threadIdx.x; first < nx / 2; first += LANES * POINTS + LANES) {
// END(0)
