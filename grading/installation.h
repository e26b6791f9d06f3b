/* Paths in this build that the grader needs, from the file kit.cfg that CMake writes beside grade. */
#pragma once

#include "error.h"
#include "rubric.h"
#include "self_test.h"

enum { INSTALLATION_LABS = 16, INSTALLATION_WORDS = 24 };

struct installation_lab {
  const char *name, *suite, *main_object, *contract; /* contract: the folder of the lab's header */
  const char *reference; /* the solution's program for a real GPU; "": there is none in this kit */
  const char *rubric_path;
  struct rubric rubric;
};

struct seal;

struct installation {
  const char *version, *nvcc, *cc;
  const char *device;                      /* the simulated GPU's device process */
  const struct seal *seal;                 /* of seal.h; NULL: unsealed */
  const char *gpu_copy;                    /* the program that describes the GPU and times copies on it */
  double model_copy;                       /* bytes/ns that a copy moves on the simulated GPU */
  char rubrics[65];                        /* SHA-256 of the hashes of the labs' rubrics */
  char judge[65];                          /* SHA-256 of the list of all sources that decide a grade */
  const char *compile[INSTALLATION_WORDS]; /* these three: NULL at the end */
  const char *libraries[INSTALLATION_WORDS], *gpu_libraries[INSTALLATION_WORDS];
  int count; /* labs to be graded */
  int known; /* and the optional ones that nobody asked for, which follow them */
  struct installation_lab labs[INSTALLATION_LABS];
  struct self_test isolation; /* which level holds on this machine; the caller sets it */
  void *owner;                /* of the strings */
};

/* Reads the file and the rubrics that it names. */
bool installation_read(const char *path, struct installation *kit, struct error *error);
void installation_free(struct installation *kit);

/* Leaves out optional labs, except one that is named: lab is "07", "07/cycle" or NULL; path is that of a
 * submission or NULL. */
void installation_leave_out_optional(struct installation *kit, const char *lab, const char *path);

/* "03", "3" or "03_compressed"; NULL: there is no such lab. */
struct installation_lab *installation_find(struct installation *kit, const char *lab);
