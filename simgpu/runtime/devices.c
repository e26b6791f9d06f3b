#include "devices.h"

#include <stdio.h>
#include <stdlib.h>

static int count = 1;
static _Thread_local int current;
static _Thread_local bool is_chosen;

bool device_count_read(void) {
  const char *text = getenv("SIMGPU_DEVICES");
  if (text && *text && (text[0] < '1' || text[0] > '0' + DEVICES_MOST || text[1])) {
    fprintf(stderr, "simgpu: SIMGPU_DEVICES: expected a number from 1 to %d, got '%s'\n", DEVICES_MOST, text);
    return false;
  }
  count = text && *text ? text[0] - '0' : 1;
  return true;
}

int device_count(void) { return count; }

cudaError_t device_check(int device) {
  return device >= 0 && device < count ? cudaSuccess : cudaErrorInvalidDevice;
}

int device_current(void) { return current; }

int device_select(int device) {
  const int before = current;
  current = device;
  return before;
}

void device_choose(int device) {
  is_chosen = device != DEVICE_NOT_CHOSEN;
  current = is_chosen ? device : current;
}

bool device_is_chosen(void) { return is_chosen; }
