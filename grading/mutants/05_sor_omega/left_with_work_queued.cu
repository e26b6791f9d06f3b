// 05/solve: the reported relative residual is
// Returns while a stretch is in flight: u does not match the residual.
// INSTEAD OF: if (done && queued == c + 1)
if (done)
// END(4)
