// 04/fused: values are wrong
// One sweep, however many were asked for.
// TODO(6): launch it; the number of sweeps is a template parameter. (about 6 lines)
static void (*const launch[FUSED_MAX])(const fused_arrays &) = {
    fused_launch<1>, fused_launch<2>, fused_launch<3>, fused_launch<4>,
    fused_launch<5>, fused_launch<6>, fused_launch<7>, fused_launch<8>};
(void)sweeps;
launch[0]({nx, ny, pitch, {h2f_red, h2f_black}, {red, black}, {red_out, black_out}});
return 0;
// END(6)
