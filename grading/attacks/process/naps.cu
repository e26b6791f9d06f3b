// Sleeps in each run a little less than a run may: an item that ends by no limit of a run has no result (INFRA).
// expect: TIMEOUT
// base: solution
// seconds: 240
ATTACK { sleep(9); }
