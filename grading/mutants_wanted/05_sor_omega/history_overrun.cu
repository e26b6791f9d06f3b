// 05/study: history
// A row of the history is taken to have room for twice the sweeps: a bare segmentation fault today.
// INSTEAD OF: double *row = history + (size_t)o * (sweep_count + 1);
double *row = history + (size_t)o * 2000000;
// END(0)
