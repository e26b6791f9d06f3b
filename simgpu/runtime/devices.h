/* How many devices there are, and which one a thread uses.
 *
 * SIMGPU_DEVICES gives their number. They are one simulated device with one memory, so each can use the memory of the
 * others; each has its own copy of every module and its variables. */
#pragma once

#include "../protocol.h"

#include <driver_types.h>
#include <stdbool.h>

enum { DEVICES_MOST = SIM_DEVICES };

/* Reads SIMGPU_DEVICES. Returns false after a message about a malformed value. */
bool device_count_read(void);
int device_count(void);

/* cudaErrorInvalidDevice if there is no device of this number. */
cudaError_t device_check(int device);

/* The calling thread's device. device_select() returns the one before. */
int device_current(void);
int device_select(int device);

/* The program chooses the device of its thread, or drops its choice. device_select() leaves that alone. */
enum { DEVICE_NOT_CHOSEN = -1 };
void device_choose(int device);
bool device_is_chosen(void);
