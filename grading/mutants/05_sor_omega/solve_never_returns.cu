// 05/solve: or does a loop never end?
// The loop goes on after the last residual.
// INSTEAD OF: if (done && queued == c + 1)
if (done && queued == c)
// END(4)
