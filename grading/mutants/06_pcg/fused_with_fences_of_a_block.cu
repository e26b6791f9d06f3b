// 06/fused: an atomic alone orders nothing: __threadfence?
// The fence before the arrival orders the sum for the own block alone.
// INSTEAD OF: __threadfence(); // the sum is visible before the arrival
__threadfence_block();
// END(0)
