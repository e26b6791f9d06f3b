// 04/fused: it is u after 7 sweeps: does a pass make as many sweeps
// Eight sweeps are launched as seven.
// INSTEAD OF: fused_launch<5>, fused_launch<6>, fused_launch<7>, fused_launch<8>};
fused_launch<5>, fused_launch<6>, fused_launch<7>, fused_launch<7>
}
;
// END(0)
