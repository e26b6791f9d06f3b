// 04/fused: gs_fused: 4 launches in 2 calls: expected at most 2
// Correct, but the sweeps move all data through memory twice.
// clang-format off
// INSTEAD OF: launch[sweeps - 1]({nx, ny, pitch, {h2f_red, h2f_black}, {red, black}, {red_out, black_out}});
const int second = sweeps / 2;
float *between[2] = {red_out, black_out};
for (int colour = 0; second > 0 && colour < 2; colour++)
  cudaMalloc((void **)&between[colour], ny * pitch * sizeof(float));
launch[sweeps - second - 1](
    {nx, ny, pitch, {h2f_red, h2f_black}, {red, black}, {between[0], between[1]}});
if (second > 0)
  launch[second - 1](
      {nx, ny, pitch, {h2f_red, h2f_black}, {between[0], between[1]}, {red_out, black_out}});
for (int colour = 0; second > 0 && colour < 2; colour++)
  cudaFree(between[colour]);
// END(6)
