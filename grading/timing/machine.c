#include "machine.h"
#include "output.h"
#include "program.h"
#include "sha256.h"

#include <libconfig.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DESCRIBE_SECONDS = 60 };

/* The rest of the line that begins with the word. */
static bool take(const char *text, const char *word, char *value, size_t size) {
  const size_t length = strlen(word);
  for (const char *item = text; item; item = strchr(item, '\n'), item += item != NULL)
    if (strncmp(item, word, length) == 0 && item[length] == ' ') {
      snprintf(value, size, "%.*s", (int)strcspn(item + length + 1, "\n\"\\"), item + length + 1);
      return true;
    }
  return false;
}

bool machine_read(const struct installation *kit, struct machine *machine, struct error *error) {
  *machine = (struct machine){.limits = ""};
  program_enter_directory();
  const struct program_result described =
      program_run((const char *[]){kit->gpu_copy, "describe", NULL}, DESCRIBE_SECONDS);
  program_leave_directory();
  char peak[32] = "", why[512];
  if (described.status != 0 || described.timed_out) {
    program_describe(&described, why, sizeof why);
    return error_set(error, "times need a GPU: %s describe: %s", kit->gpu_copy, why);
  }
  if (!take(described.output, "gpu", machine->gpu, sizeof machine->gpu) ||
      !take(described.output, "driver", machine->driver, sizeof machine->driver) ||
      !take(described.output, "toolkit", machine->toolkit, sizeof machine->toolkit) ||
      !take(described.output, "peak", peak, sizeof peak) || sscanf(peak, "%lf", &machine->peak) != 1)
    return error_set(error, "%s describe: expected lines gpu, driver, toolkit and peak", kit->gpu_copy);
  machine->peak *= 1e9;
  return true;
}

/* --- limits --- */

struct owner {
  const char *name, *value; /* of a setting that must have its value on this machine */
};
enum { OWNERS = 5 };

static void owners_of(const struct installation *kit, const struct machine *machine,
                      struct owner owners[OWNERS]) {
  const struct owner all[OWNERS] = {{"gpu", machine->gpu},
                                    {"driver", machine->driver},
                                    {"toolkit", machine->toolkit},
                                    {"kit", kit->version},
                                    {"rubrics", kit->rubrics}};
  memcpy(owners, all, sizeof all);
}

bool limits_write(const char *path, const struct installation *kit, const struct machine *machine, int count,
                  const struct limits_item *items, struct error *error) {
  struct output out;
  struct owner owners[OWNERS];
  if (!output_open(&out, path, error))
    return false;
  owners_of(kit, machine, owners);
  fputs("# Limits of time items on this machine, by grade calibrate.\n", out.stream);
  for (int n = 0; n < OWNERS; n++)
    fprintf(out.stream, "%s = \"%s\";\n", owners[n].name, owners[n].value);
  fputs("items = (", out.stream);
  for (int n = 0; n < count; n++)
    fprintf(out.stream,
            "%s\n  { id = \"%s\"; none_at = %.6f; full_at = %.6f; noise = %.6f; median = %.6f; deviation = "
            "%.6f; }",
            n ? "," : "", items[n].id, items[n].none_at, items[n].full_at, items[n].noise, items[n].median,
            items[n].deviation);
  fputs("\n);\n", out.stream);
  return output_commit_to_disk(&out, error);
}

static bool is_for(const config_t *config, const struct installation *kit, const struct machine *machine,
                   struct error *error) {
  struct owner owners[OWNERS];
  owners_of(kit, machine, owners);
  for (int n = 0; n < OWNERS; n++) {
    const char *value = "";
    if (!config_lookup_string(config, owners[n].name, &value) || strcmp(value, owners[n].value) != 0)
      return error_set(
          error, "limits of another machine or kit: %s = \"%s\": expected \"%s\"; run grade calibrate here",
          owners[n].name, value, owners[n].value);
  }
  return true;
}

static struct rubric_item *find_item(struct installation *kit, const char *id) {
  for (int n = 0; n < kit->count; n++)
    for (int k = 0; k < kit->labs[n].rubric.count; k++)
      if (kit->labs[n].rubric.items[k].kind == RUBRIC_TIME &&
          strcmp(kit->labs[n].rubric.items[k].id, id) == 0)
        return &kit->labs[n].rubric.items[k];
  return NULL;
}

static bool read_item(const config_setting_t *from, struct limits_item *item) {
  const char *id;
  if (!config_setting_lookup_string(from, "id", &id))
    return false;
  snprintf(item->id, sizeof item->id, "%s", id);
  return config_setting_lookup_float(from, "none_at", &item->none_at) &&
         config_setting_lookup_float(from, "full_at", &item->full_at) &&
         config_setting_lookup_float(from, "noise", &item->noise) && item->none_at >= 0 &&
         item->full_at > item->none_at && isfinite(item->full_at) && item->noise >= 0 &&
         isfinite(item->noise);
}

/* Reads the items; with apply, also puts them into the kit. */
static bool each_item(const config_t *config, struct installation *kit, bool apply, struct error *error) {
  const config_setting_t *items = config_lookup(config, "items");
  const int count = items ? config_setting_length(items) : 0;
  for (int n = 0; n < count; n++) {
    struct limits_item item = {.id = ""};
    const bool read = read_item(config_setting_get_elem(items, (unsigned)n), &item);
    struct rubric_item *of = find_item(kit, item.id);
    if (!read || !of)
      return error_set(error, "item %d, '%s': expected id of a time item, 0 <= none_at < full_at and noise",
                       n + 1, item.id);
    if (apply) {
      of->none_at = item.none_at;
      of->full_at = item.full_at;
      of->noise = item.noise;
    }
  }
  return count > 0 || error_set(error, "expected items");
}

bool limits_apply(const char *path, struct installation *kit, struct machine *machine, struct error *error) {
  struct error why = {""};
  config_t config;
  config_init(&config);
  bool fine = config_read_file(&config, path);
  if (!fine)
    error_set(&why, "line %d: %s", config_error_line(&config), config_error_text(&config));
  else
    fine = is_for(&config, kit, machine, &why) && each_item(&config, kit, false, &why) &&
           sha256_of_file(path, machine->limits, &why) && each_item(&config, kit, true, &why);
  config_destroy(&config);
  return fine || error_set(error, "%s: %s", path, why.text);
}
