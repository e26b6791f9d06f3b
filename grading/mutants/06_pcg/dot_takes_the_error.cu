// 06/dot: pcg_dot: its launch fails, and the program continued
// INSTEAD OF: dot_finish_kernel<<<1, THREADS>>>(blocks, partial, result);
dot_finish_kernel<<<1, THREADS>>>(blocks, partial, result);
cudaGetLastError();
// END(1)
