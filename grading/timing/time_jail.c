#include "time_jail.h"
#include "program.h"
#include "slots.h"
#include "time_session.h"

#include <stdio.h>
#include <string.h>

enum { TRY_SECONDS = 60, READABLE = 4, TMPFS = 64 << 20 };

/* CUDA's toolkit, if it lies beside /usr, which a jail has anyway. */
static const char *toolkit_of(const struct installation *kit) {
  static char folder[PATH_MAX];
  snprintf(folder, sizeof folder, "%s", kit->nvcc);
  for (int up = 0; up < 2; up++) {
    char *slash = strrchr(folder, '/');
    if (!slash || slash == folder)
      return NULL;
    *slash = '\0';
  }
  return strncmp(folder, "/usr", 4) == 0 ? NULL : folder;
}

const struct jail *time_jail_of(const struct installation *kit, enum isolation level, int slot,
                                const char *program) {
  static const char *readable[READABLE + 1];
  static struct jail jail;
  int count = 0;
  if (level == ISOLATION_NONE)
    return NULL;
  readable[count++] = program;
  if (kit->device && kit->device[0]) /* programs of a build without a GPU start it themselves */
    readable[count++] = kit->device;
  if (toolkit_of(kit))
    readable[count++] = toolkit_of(kit);
  readable[count] = NULL;
  jail = (struct jail){.level = level,
                       .namespaces = kit->isolation.namespaces,
                       .slot = slot,
                       .readable = readable,
                       .tmpfs = TMPFS,
                       .gpu = true};
  return &jail;
}

/* One request: the program opens the GPU, allocates, copies and answers. */
static bool answers(const struct installation *kit, char *why, size_t size) {
  double seconds;
  char byte;
  struct session session = session_open((const char *[]){kit->gpu_copy, "serve", "--megabytes", "1", NULL},
                                        time_jail_of(kit, kit->isolation.level, slots_of(0), kit->gpu_copy));
  const enum session_status status = session_request(&session, 1, 1, &byte, 1, TRY_SECONDS, &seconds);
  const struct program_result ended = session_close(&session);
  program_describe(&ended, why, size);
  return status == SESSION_ANSWERED;
}

enum isolation time_jail_try(const struct installation *kit, char *missing, size_t size) {
  char why[256];
  snprintf(missing, size, "%s", kit->isolation.missing);
  if (kit->isolation.level == ISOLATION_NONE || answers(kit, why, sizeof why))
    return kit->isolation.level;
  snprintf(missing, size, "a jail in which programs can use this GPU (gpu_copy in a jail: %s)", why);
  return ISOLATION_NONE;
}
