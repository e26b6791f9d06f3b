// 06/ssor: both passes read s·r
// The backward pass does not read the result of the forward pass.
// INSTEAD OF: ssor_kernel<<<tiles_count(t), THREADS>>>(*g, t, RED, s, c, r, stored{z}, z);
ssor_kernel<<<tiles_count(t), THREADS>>>(*g, t, RED, s, c, r, scaled{s, r}, z);
// END(3)
