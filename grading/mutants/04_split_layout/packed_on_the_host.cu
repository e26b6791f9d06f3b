// 04/pack: no kernel was launched
// 04/float4: passes
// The host packs.
// TODO(1): launch a thread for every place (i, jh), padding included. (about 4 lines)
const int n = ny * pitch;
float *all = new float[nx * ny + 2 * n](), *colours = all + nx *ny;
cudaMemcpy(all, u, nx *ny * sizeof *all, cudaMemcpyDeviceToHost);
for (int i = 0; i < ny; i++)
  for (int j = 0; j < nx; j++)
    colours[(i + j) % 2 * n + i * pitch + j / 2] = all[i * nx + j];
cudaMemcpy(red, colours, n * sizeof *all, cudaMemcpyHostToDevice);
cudaMemcpy(black, colours + n, n * sizeof *all, cudaMemcpyHostToDevice);
delete[] all;
return 0;
// END(1)
