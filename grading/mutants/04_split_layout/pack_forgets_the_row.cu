// 04/pack: some rows have the other colour: is i in the parity?
// Even columns are red in every row.
// INSTEAD OF: red[k] = i & 1 ? odd : even;
red[k] = even;
// END(1)
// INSTEAD OF: black[k] = i & 1 ? even : odd;
black[k] = odd;
// END(1)
