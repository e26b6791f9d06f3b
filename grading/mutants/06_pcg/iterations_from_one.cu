// 06/cg: it is 0: is the residual before the first iteration recorded, while iterations is 0?
// The number of iterations begins at 1.
// INSTEAD OF: for (;; s->result->iterations++) {
for (s->result->iterations = 1;; s->result->iterations++) {
// END(0)
