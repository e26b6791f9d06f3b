// 06/fused: an atomic alone orders nothing: __threadfence?
// Sums are published without a fence.
// INSTEAD OF: __threadfence(); // the sum is visible before the arrival
;
// END(0)
// INSTEAD OF: __threadfence();
;
// END(0)
