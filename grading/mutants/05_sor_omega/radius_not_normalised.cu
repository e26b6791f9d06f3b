// 05/radius: too small for a double
// x is never scaled: with a small ρ it underflows before the estimates settle.
// INSTEAD OF: scale_kernel<<<blocks_for(n, SUM_THREADS), SUM_THREADS>>>(n, 1 / after, x);
scale_kernel<<<blocks_for(n, SUM_THREADS), SUM_THREADS>>>(n, 1.0, x);
// END(0)
