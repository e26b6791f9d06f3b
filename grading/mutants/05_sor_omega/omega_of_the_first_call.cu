// 05/solve: does a static variable, or memory that is kept, hold something of an earlier call?
// 05/mixed: does a static variable, or memory that is kept, hold something of an earlier call?
// The factor of the first call serves all later ones.
// INSTEAD OF: const dim3 blocks = blocks_of(g, pack<Real>::WIDTH, 1), threads(SWEEP_X, SWEEP_Y);
const dim3 blocks = blocks_of(g, pack<Real>::WIDTH, 1), threads(SWEEP_X, SWEEP_Y);
static const double first = omega;
omega = first;
// END(0)
