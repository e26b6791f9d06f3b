// 04/fused_bandwidth: 4.8 warps for each multiprocessor: each needs several loads in flight
// 04/fused: passes
// Each half-sweep loads h2f from global memory; blocks of 32 rows.
// INSTEAD OF: const float4 h2f = rows.h2f[colour][i & (F::H2F_ROWS - 1)][lane];
const float4 h2f =
    load_four(a.h2f[colour] + min(max(i, 0), a.ny - 1) * a.pitch + min(max(me.jh, 0), a.pitch - FOUR));
// END(6)
// INSTEAD OF: south = select_four(boundary, old, v);
if (boundary)
  south = select_four(boundary, old, v);
else
  south = v;
// END(6)
// INSTEAD OF: const int rows = max(4 * SWEEPS, (blocks_for(a.ny, parts) + 1) / 2 * 2);
const int rows = 32;
// END(6)
