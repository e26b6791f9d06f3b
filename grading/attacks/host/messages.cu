// A client that does not keep to the protocol: it writes to the socket of the device.
// with: GARBAGE LENGTH TYPE HALF REORDERED CLOSED VERSION SHUT
// base: solution
// hook
// points: 20
// seconds: 200
#define GARBAGE 1
#define LENGTH 2
#define TYPE 3
#define HALF 4
#define REORDERED 5
#define CLOSED 6
#define VERSION 7
#define SHUT 8
struct message {
  uint32_t type, status;
  uint64_t length, time;
  uint64_t text[8];
};
static void speak(int device) {
  struct message message = {3, 0, 64, 0, {~0ul, ~0ul, ~0ul, ~0ul}};
  if (WITH == GARBAGE)
    memset(&message, 0xa5, sizeof message);
  if (WITH == LENGTH)
    message.length = UINT64_MAX;
  if (WITH == TYPE)
    message.type = 4711;
  if (WITH == VERSION)
    message = (struct message){1, 0, 8, 0, {99}};
  if (WITH == REORDERED)
    message = (struct message){13, 7, 64, 1, {1, 2, 3}};
  if (WITH == CLOSED)
    close(device);
  else if (WITH == SHUT)
    shutdown(device, SHUT_WR);
  else if (write(device, &message, WITH == HALF ? 12 : sizeof message) < 0)
    return;
}
static void hook(void) {
  struct stat status;
  for (int n = 3; n < 256; n++)
    if (fstat(n, &status) == 0 && S_ISSOCK(status.st_mode))
      speak(n);
}
