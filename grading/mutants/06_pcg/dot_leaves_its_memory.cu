// 06/dot: calls leave memory of the host allocated
// 06/cg: passes
// INSTEAD OF: dot_kernel<<<blocks, THREADS>>>(n, x, y, partial);
volatile int *size = new int[2];
size[0] = n;
dot_kernel<<<blocks, THREADS>>>(size[0], x, y, partial);
// END(1)
