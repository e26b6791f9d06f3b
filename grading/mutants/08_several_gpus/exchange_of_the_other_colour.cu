// 08/sweep: half-sweeps whose halo rows are a half-sweep old
// The colour that the half-sweep has read travels.
// INSTEAD OF: const int part = sg_exchange(parts, gpus, colour);
const int part = sg_exchange(parts, gpus, 1 - colour);
// END(0)
