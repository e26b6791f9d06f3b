// 05/sweep: right for red: is the colour in the parity?
// The shift of a row without the colour.
// INSTEAD OF: const bool shifted = (i + colour) & 1; // west is at k, east at k + 1; otherwise at k - 1 and k
const bool shifted = i & 1; // west is at k, east at k + 1; otherwise at k - 1 and k
// END(1)
