// 04/fused_bytes: of the sectors, in 1 launch: which values were already in shared memory or registers?
// Correct, but every half-sweep also goes to memory.
// INSTEAD OF: template <int SWEEPS, int ODD>
__device__ float history[16][1 << 20];

template <int SWEEPS, int ODD>
// END(0)
// INSTEAD OF: if (k >= F::HALVES - 2 && me.first_i <= i && i < me.last_i)
if (k < F::HALVES - 2 && me.first_i <= i && i < me.last_i)
    store_four(history[k] + ((i * a.pitch + me.jh) & 0xfffff), south);
if (k >= F::HALVES - 2 && me.first_i <= i && i < me.last_i)
// END(0)
