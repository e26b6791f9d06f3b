// 06/ssor: both passes read s·r
// The backward pass does not read the result of the forward pass.
// INSTEAD OF: ssor_kernel<<<blocks, threads>>>(*g, RED, s, c, r, 1, z, z);
ssor_kernel<<<blocks, threads>>>(*g, RED, s, c, r, s, r, z);
// END(3)
