// 06/fused: has a stretch check_every
// The graph has ten iterations, whatever check_every is: squares do not lie where the host reads them.
// INSTEAD OF: for (int n = 0; n < l.check_every; n++) {
for (int n = 0; n < 10; n++) {
// END(0)
