// 05/solve: expected 'converged after 0 sweeps', but the program printed:
// Queues a stretch before the residual of the initial guess has arrived, which may be the solution.
// INSTEAD OF: const int ahead = c == 0 || done || c == last ? c : c + 1;
const int ahead = done || c == last ? c : c + 1;
// END(4)
