// 04/fused: the colours are exchanged
// The output arrays are exchanged after an odd number of sweeps.
// INSTEAD OF: launch[sweeps - 1]({nx, ny, pitch, {h2f_red, h2f_black}, {red, black}, {red_out, black_out}});
launch[sweeps - 1]({nx,
                    ny,
                    pitch,
                    {h2f_red, h2f_black},
                    {red, black},
                    {sweeps % 2 ? black_out : red_out, sweeps % 2 ? red_out : black_out}});
// END(0)
