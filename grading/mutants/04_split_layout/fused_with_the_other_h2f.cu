// 04/fused: a sweep with h2f of the other colour, at the same place of its array
// INSTEAD OF: launch[sweeps - 1]({nx, ny, pitch, {h2f_red, h2f_black}, {red, black}, {red_out, black_out}});
launch[sweeps - 1]({nx, ny, pitch, {h2f_black, h2f_red}, {red, black}, {red_out, black_out}});
// END(0)
