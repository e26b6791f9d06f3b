// 04/fused: is the halo of a strip too narrow?
// A strip's halo has one place too few: values beside its ends are a sweep too old.
// INSTEAD OF: enum { HALVES = 2 * SWEEPS, HALO = (SWEEPS + FOUR - 1) / FOUR }; // HALO: lanes at each end
enum { HALVES = 2 * SWEEPS, HALO = SWEEPS > 4 ? 1 : (SWEEPS + FOUR - 1) / FOUR }; // HALO: lanes at each end
// END(0)
