// 04/fused: values are wrong
// Always one sweep, whatever the requested number.
// INSTEAD OF: launch[sweeps - 1]({nx, ny, pitch, {h2f_red, h2f_black}, {red, black}, {red_out, black_out}});
(void)sweeps;
launch[0]({nx, ny, pitch, {h2f_red, h2f_black}, {red, black}, {red_out, black_out}});
// END(6)
