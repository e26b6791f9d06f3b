// Style: a function of the host takes each norm from pinned memory, in stream order; the host waits for a later event.
// WITH HEADERS
// INSTEAD OF: CUDA_CHECK(cudaEventRecord(q->event[slot]));
q->taken[slot] = {q->arrived + slot, 0};
if (slot % 2)
  CUDA_CHECK(cudaStreamAddCallback(0, take_in_turn, q->taken + slot, 0));
else
  CUDA_CHECK(cudaLaunchHostFunc(0, take, q->taken + slot));
CUDA_CHECK(cudaEventRecord(q->event[slot]));
// END(0)
// INSTEAD OF: enum { NORM_SLOTS = 2 };
enum { NORM_SLOTS = 2 };
struct taken_norm {
  const double *from;
  double square;
};
static void CUDART_CB take(void *user) { ((taken_norm *)user)->square = *((taken_norm *)user)->from; }
static void CUDART_CB take_in_turn(cudaStream_t, cudaError_t, void *user) { take(user); }
// END(0)
// INSTEAD OF: cudaEvent_t event[NORM_SLOTS];
cudaEvent_t event[NORM_SLOTS];
taken_norm taken[NORM_SLOTS];
// END(0)
// INSTEAD OF: return sqrt(q->arrived[slot]);
return sqrt(q->taken[slot].square);
// END(0)
