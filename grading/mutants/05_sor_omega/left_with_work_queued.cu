// 05/solve: the reported relative residual is
// Returns while a stretch is under way: u is not the one of the residual.
// INSTEAD OF: if (done && queued == c + 1)
if (done)
// END(4)
