// 04/pack: elements of the red array are wrong
// 04/split: passes
// Even columns red, odd ones black, whatever the row.
// INSTEAD OF: red[k] = i & 1 ? odd : even;
red[k] = even;
black[k] = odd;
// END(1)
// INSTEAD OF: black[k] = i & 1 ? even : odd;
// END(1)
