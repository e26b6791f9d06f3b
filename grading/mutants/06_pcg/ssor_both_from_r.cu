// 06/ssor: both passes read s·r
// The backward pass does not take what the forward pass made.
// INSTEAD OF: ssor_kernel<<<tiles_count(t), THREADS>>>(*g, t, RED, s, c, r, stored{z}, z);
ssor_kernel<<<tiles_count(t), THREADS>>>(*g, t, RED, s, c, r, scaled{s, r}, z);
// END(3)
