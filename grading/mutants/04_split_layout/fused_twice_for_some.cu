// 04/fused: expected one in each
// Some numbers of sweeps take a second pass.
// INSTEAD OF: launch[sweeps - 1]({nx, ny, pitch, {h2f_red, h2f_black}, {red, black}, {red_out, black_out}});
const fused_arrays a = {nx, ny, pitch, {h2f_red, h2f_black}, {red, black}, {red_out, black_out}};
launch[sweeps - 1](a);
if (sweeps == 5 || sweeps == 6 || sweeps == 3)
  launch[sweeps - 1](a);
// END(0)
