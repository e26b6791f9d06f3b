// 06/fused: the residuals are right up to the end of a stretch
// The direction starts anew behind each stretch.
// INSTEAD OF: s->beta = square / s->rho;
s->beta = s->iteration % l.check_every ? square / s->rho : 0;
// END(5)
