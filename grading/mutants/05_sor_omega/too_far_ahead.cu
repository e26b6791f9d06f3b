// 05/solve: the relative residual after
// Two stretches are queued ahead, which overwrites the norm that the host waits for.
// INSTEAD OF: const int ahead = c == 0 || done || c == last ? c : c + 1;
const int ahead = c == 0 || done || c + 1 >= last ? c : c + 2;
// END(4)
