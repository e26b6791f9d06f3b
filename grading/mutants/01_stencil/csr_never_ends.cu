// 01/csr: csr_assemble: writes or reads far outside its arrays: does a loop never end?
// INSTEAD OF: for (int n = 0; n < 5; n++) {
for (int n = 0; n < 5;) {
// END(1)
