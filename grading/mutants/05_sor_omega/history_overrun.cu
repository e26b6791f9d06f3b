// 05/study: doubles in host memory: the row of omega[n] is the 41 from n*(sweeps + 1) on
// The rows of the history are too far apart: the second one lies outside of it.
// INSTEAD OF: double *row = history + (size_t)o * (sweep_count + 1);
double *row = history + (size_t)o * 2000000;
// END(0)
