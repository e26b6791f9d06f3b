// 05/study: history has room for 305 doubles in host memory
// The rows of the history are too far apart: the second one lies outside of it.
// INSTEAD OF: double *row = history + (size_t)o * (sweep_count + 1);
double *row = history + (size_t)o * 2000000;
// END(0)
