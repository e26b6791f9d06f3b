/* Isolation of a program that is not trusted: the compiler of a submission, and the submission itself.
 *
 * Level full, with bubblewrap and libseccomp: own user, process, mount, network, IPC, host-name and cgroup
 * namespaces; a root folder with /usr, the program's files and small tmpfs alone; no capability, no new
 * privilege; a filter of system calls; limits. Root first becomes an unprivileged user, one for each slot.
 *
 * Level reduced, without new namespaces: the user of the slot, no new privilege, the filter, limits, and
 * Landlock, each as far as this machine has it; self_test.h names what is missing. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum isolation { ISOLATION_NONE, ISOLATION_REDUCED, ISOLATION_FULL };
extern const char *const isolation_names[]; /* "none", "reduced", "full", NULL */

/* Slots 0 to JAIL_SLOTS - 1 have the user and group ids from JAIL_FIRST_USER. */
enum { JAIL_FIRST_USER = 64200, JAIL_SLOTS = 64, JAIL_PROCESSES = 128 };

/* An empty tmpfs in each jail with namespaces. It hides no file of the host: those may be below /tmp, too. */
extern const char jail_folder[];

struct jail_room;

/* PATH of programs that must not see the folders of whoever grades. */
#define JAIL_PATH "/usr/local/bin:/usr/bin:/bin"

struct jail {
  enum isolation level;
  bool namespaces;             /* also at level reduced; level full has them always */
  int slot;                    /* programs of different slots run as different users, if we are root */
  const char *const *readable; /* files and folders of the host that it sees read-only at the same path, NULL
                                  at the end; NULL: the program's file; /usr always */
  const char *writable; /* a folder that it sees at the same path, writable and current, which then belongs
                           to the slot; NULL: the current folder is jail_folder */
  const char *links;    /* a folder of links, which the program finds in its current folder; NULL: none */
  uint64_t tmpfs;       /* bytes of jail_folder */
  const char *path;     /* PATH of the program; NULL: the caller's */
  bool gpu;             /* device nodes of a real GPU */
  int status;           /* above 2: from jail_open_status */
  bool has_rooms;       /* it will be entered by later runs: for room.h */
  const struct jail_room *room; /* run in it; NULL: in a jail of its own */
};

/* In a child after fork(): becomes the program within the jail. arguments[0] is a path; readable has to hold
 * it, if given. Open descriptors stay open, except the jail's own. The environment is the
 * caller's. Returns only if it fails, after one line on standard error. */
void jail_exec(const struct jail *jail, const char *const *arguments);

bool jail_has_namespaces(const struct jail *jail);

/* bubblewrap ends with 128 + N after signal N of the program; this is the status of waitpid() without it. */
int jail_wait_status(const struct jail *jail, int status);

/* A program that ended by itself did not start if its jail could not be made. */
int jail_open_status(void);
bool jail_has_started(const struct jail *jail, int status);

/* A program of our own that each jail can start: it does nothing, and ends. */
extern const char jail_own_program[];

/* The program in PATH, or NULL. */
const char *jail_find(const char *name, char path[], size_t size);

/* --- for room.c, the other way into a jail --- */

/* One line on standard error, with errno; false. */
bool jail_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

void jail_set_limits(const struct jail *jail);

/* The user of the slot, if we are root. */
bool jail_become_user(const struct jail *jail);

/* No program that is started later gets a capability. */
void jail_drop_bounds(void);

/* Becomes the program that is open as a file; returns after a message. */
void jail_run(const struct jail *jail, int program, const char *const *arguments);

/* --- as text, for the command line of a suite --- */

/* For example "full 3", "reduced 3", "reduced 3 namespaces", "none 0". The
 * second sets level, namespaces and slot; false: text is none of these. */
void jail_print(const struct jail *jail, char *text, size_t size);
bool jail_read(const char *text, struct jail *jail);
