// Rows 16 and 19: an exit status as a verdict: success, a refusal, "not written", skipped.
// with: 0 1 2 3 77 127
ATTACK { _exit(WITH); }
