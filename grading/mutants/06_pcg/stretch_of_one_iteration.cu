// 06/fused: has a stretch check_every
// The graph has one iteration, whatever check_every is: squares do not lie where the host reads them.
// INSTEAD OF: for (int n = 0; n < l.check_every; n++) {
for (int n = 0; n < 1; n++) {
// END(0)
