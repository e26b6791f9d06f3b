/* Where this build of the kit keeps what the grader needs: the file kit.cfg that CMake writes beside grade.
 */
#ifndef INSTALLATION_H
#define INSTALLATION_H

#include "error.h"
#include "rubric.h"

enum { INSTALLATION_LABS = 16, INSTALLATION_WORDS = 24 };

struct installation_lab {
  const char *name, *suite, *main_object, *contract; /* contract: the folder of the lab's header */
  struct rubric rubric;
};

struct installation {
  const char *version, *nvcc, *cc;
  const char *compile[INSTALLATION_WORDS], *libraries[INSTALLATION_WORDS]; /* NULL at the end */
  int count;
  struct installation_lab labs[INSTALLATION_LABS];
  void *owner; /* of the strings */
};

/* Reads the file and the rubrics that it names. */
bool installation_read(const char *path, struct installation *kit, struct error *error);
void installation_free(struct installation *kit);

/* "03", "3" or "03_compressed"; NULL: there is no such lab. */
struct installation_lab *installation_find(struct installation *kit, const char *lab);

#endif
