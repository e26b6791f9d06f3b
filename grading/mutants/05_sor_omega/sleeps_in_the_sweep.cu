// 05/sweep_copy: a kernel calls __nanosleep: expected that no thread sleeps
// INSTEAD OF: const int jh = (blockIdx.x * SWEEP_X + threadIdx.x) * WIDTH, i = 1 + blockIdx.y * SWEEP_Y + threadIdx.y;
const int jh = (blockIdx.x * SWEEP_X + threadIdx.x) * WIDTH, i = 1 + blockIdx.y * SWEEP_Y + threadIdx.y;
__nanosleep(100);
// END(1)
