#include "installation.h"
#include "allocate.h"
#include "model_constants.h"
#include "sha256.h"

#include <libconfig.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool read_strings(const config_t *config, const char *name, const char **strings) {
  const config_setting_t *list = config_lookup(config, name);
  const int count = list ? config_setting_length(list) : 0;
  if (count < 1 || count >= INSTALLATION_WORDS)
    return false;
  for (int n = 0; n < count; n++)
    if (!(strings[n] = config_setting_get_string_elem(list, n)))
      return false;
  return true;
}

static bool read_lab(const config_setting_t *from, struct installation *kit, struct error *error) {
  struct installation_lab *lab = &kit->labs[kit->count];
  if (!config_setting_lookup_string(from, "name", &lab->name) ||
      !config_setting_lookup_string(from, "suite", &lab->suite) ||
      !config_setting_lookup_string(from, "main_object", &lab->main_object) ||
      !config_setting_lookup_string(from, "contract", &lab->contract) ||
      !config_setting_lookup_string(from, "reference", &lab->reference) ||
      !config_setting_lookup_string(from, "rubric", &lab->rubric_path))
    return error_set(error, "lab %d: expected name, suite, main_object, contract, reference, rubric",
                     kit->count);
  if (!rubric_read(lab->rubric_path, &lab->rubric, error))
    return false;
  kit->known = ++kit->count;
  return strcmp(lab->rubric.lab, lab->name) == 0 ||
         error_set(error, "%s: lab = \"%s\": expected \"%s\"", lab->rubric_path, lab->rubric.lab, lab->name);
}

static bool read_all(const config_t *config, struct installation *kit, struct error *error) {
  const config_setting_t *labs = config_lookup(config, "labs");
  const int count = labs ? config_setting_length(labs) : 0;
  const char *judge;
  if (!config_lookup_string(config, "version", &kit->version) ||
      !config_lookup_string(config, "judge", &judge) || !config_lookup_string(config, "nvcc", &kit->nvcc) ||
      !config_lookup_string(config, "cc", &kit->cc) ||
      !config_lookup_string(config, "gpu_copy", &kit->gpu_copy) ||
      !config_lookup_string(config, "device", &kit->device) ||
      !read_strings(config, "compile", kit->compile) || !read_strings(config, "libraries", kit->libraries) ||
      !read_strings(config, "gpu_libraries", kit->gpu_libraries) || count < 1 || count > INSTALLATION_LABS)
    return error_set(error,
                     "expected version, judge, nvcc, cc, gpu_copy, device, compile, libraries, gpu_libraries "
                     "and 1 to %d labs",
                     INSTALLATION_LABS);
  struct sha256_ctx hash;
  sha256_init(&hash);
  for (int n = 0; n < count; n++) {
    if (!read_lab(config_setting_get_elem(labs, (unsigned)n), kit, error))
      return false;
    const char *sum = kit->labs[n].rubric.sha256;
    sha256_update(&hash, strlen(sum), (const uint8_t *)sum);
  }
  sha256_finish(&hash, kit->rubrics);
  return sha256_of_file(judge, kit->judge, error);
}

bool installation_read(const char *path, struct installation *kit, struct error *error) {
  struct error why = {""};
  config_t *config = allocate_zeroed(1, sizeof *config);
  *kit = (struct installation){.owner = config, .model_copy = memory_bytes_per_ns};
  config_init(config);
  if (!config_read_file(config, path))
    error_set(&why, "line %d: %s", config_error_line(config), config_error_text(config));
  else if (read_all(config, kit, &why))
    return true;
  error_set(error, "%s: %s", path, why.text);
  installation_free(kit);
  return false;
}

void installation_free(struct installation *kit) {
  for (int n = 0; n < kit->known; n++)
    rubric_free(&kit->labs[n].rubric);
  if (kit->owner)
    config_destroy(kit->owner);
  free(kit->owner);
  *kit = (struct installation){0};
}

struct installation_lab *installation_find(struct installation *kit, const char *lab) {
  char *end;
  const long number = strtol(lab, &end, 10);
  for (int n = 0; n < kit->count; n++)
    if (strcmp(lab, kit->labs[n].name) == 0 ||
        (end != lab && !*end && number == strtol(kit->labs[n].name, NULL, 10)))
      return &kit->labs[n];
  return NULL;
}

/* Whether a path ends with the name of the lab's file. */
static bool is_file_of(const struct installation_lab *lab, const char *path) {
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  const size_t length = strlen(lab->rubric.program);
  return strncmp(name, lab->rubric.program, length) == 0 && strcmp(name + length, ".cu") == 0;
}

void installation_leave_out_optional(struct installation *kit, const char *lab, const char *path) {
  char name[64];
  snprintf(name, sizeof name, "%.*s", lab ? (int)strcspn(lab, "/") : 0, lab ? lab : "");
  const struct installation_lab *named = installation_find(kit, name);
  for (int n = kit->count; n-- > 0;) {
    const struct installation_lab out = kit->labs[n];
    if (!out.rubric.optional || &kit->labs[n] == named || (path && is_file_of(&out, path)))
      continue;
    memmove(&kit->labs[n], &kit->labs[n + 1], (size_t)(kit->known - n - 1) * sizeof out);
    kit->labs[kit->known - 1] = out;
    kit->count--;
  }
}
