#include "submission.h"
#include "all_bytes.h"
#include "allocate.h"
#include "sha256.h"
#include "submission_archive.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/* The whole of an open file; NULL when it cannot be read. */
static char *read_whole(int file, size_t size) {
  char *text = allocate_zeroed(size + 1, 1);
  if (all_bytes_read(file, text, size) == (ssize_t)size)
    return text;
  free(text);
  return NULL;
}

static bool read_opened(int file, const char *path, char **text, size_t *size, struct error *error) {
  struct stat status;
  if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode))
    return error_set(error, "%s: expected a regular file", path);
  if (submission_archive_is(file))
    return error_set(error, "%s: an archive: expected a .cu file, or a name that ends in .zip or .tar.gz",
                     path);
  if (status.st_size > SUBMISSION_BYTES)
    return error_set(error, "%s: %lld bytes: expected at most %d", path, (long long)status.st_size,
                     SUBMISSION_BYTES);
  *size = (size_t)status.st_size;
  *text = read_whole(file, *size);
  return *text != NULL || error_set(error, "%s: cannot read", path);
}

/* Follows no links and waits for no pipes. */
static bool read_file(const char *path, char **text, size_t *size, struct error *error) {
  const int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0 && errno == ELOOP)
    return error_set(error, "%s: a link: expected a regular file", path);
  if (file < 0)
    return error_set(error, "%s: cannot open: %s", path, strerror(errno));
  const bool read = read_opened(file, path, text, size, error);
  close(file);
  return read;
}

static const char *last_part(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* --- the lab of a file --- */

/* How well a name matches a lab: exactly, or as browsers and learning platforms change it. */
enum fit { NO_FIT, TOLERANT, EXACT };

/* "Compressed (1).cu", "smith_LATE_123_4567_compressed-2.cu", "Ada Smith_12_assignsubmission_file_compressed.cu" */
static bool is_changed(const char *name, const char *program) {
  char pattern[256];
  regex_t expression;
  snprintf(pattern, sizeof pattern,
           "^(.+_[0-9]+_([0-9]+|assignsubmission_file)_)?%s([ _(-][ _()0-9-]*)?[.]cu$", program);
  if (regcomp(&expression, pattern, REG_EXTENDED | REG_ICASE | REG_NOSUB) != 0)
    return false;
  const bool fits = regexec(&expression, name, 0, NULL, 0) == 0;
  regfree(&expression);
  return fits;
}

static bool is_source(const char *name) {
  const size_t length = strlen(name);
  return length > 3 && strcasecmp(name + length - 3, ".cu") == 0;
}

/* The index of the lab whose file has the last name of path; -1: none or several. */
static int lab_of(const struct installation *kit, const char *path, enum fit *fit) {
  const char *name = last_part(path);
  char exact[300];
  int found = -1;
  *fit = EXACT;
  for (int n = 0; n < kit->known; n++) {
    snprintf(exact, sizeof exact, "%s.cu", kit->labs[n].rubric.program);
    if (strcmp(name, exact) == 0)
      return n;
  }
  *fit = NO_FIT;
  for (int n = 0; is_source(name) && n < kit->known; n++)
    if (is_changed(name, kit->labs[n].rubric.program)) {
      *fit = found < 0 ? TOLERANT : NO_FIT;
      found = n;
    }
  return *fit == NO_FIT ? -1 : found;
}

/* --- folders and archives --- */

/* A file that may be a lab's. */
struct found {
  enum fit fit;
  char path[PATH_MAX], *text; /* text: NULL when it is not graded, because of why */
  size_t size;
  struct error why;
  int archive; /* number of the archive that holds it; 0: none */
};

struct search {
  const struct installation *kit;
  const struct installation_lab *only;           /* or NULL */
  struct found labs[INSTALLATION_LABS], foreign; /* foreign: the first .cu file of no lab */
  char other[PATH_MAX];                          /* its name, else that of the first file */
  int sources, entries;                          /* .cu files of no lab; all files and folders seen */
  size_t unpacked;                               /* bytes out of archives */
  int archives;                                  /* opened so far */
  const char *archive;                           /* that is open, or NULL */
  struct error trouble;                          /* what was not searched, and why: the first */
};

static void note_trouble(struct search *s, const struct error *why) {
  if (!s->trouble.text[0])
    s->trouble = *why;
}

/* Keeps a lab's file and takes over its text. The exact name takes precedence; equally good files must be identical. */
static void offer(struct search *s, struct found *kept, enum fit fit, const char *path, char *text,
                  size_t size, const struct error *why) {
  const int archive = s->archive ? s->archives : 0;
  if (fit > kept->fit) {
    free(kept->text);
    *kept = (struct found){.fit = fit, .text = text, .size = size, .archive = archive};
    snprintf(kept->path, sizeof kept->path, "%s", path);
    if (!text)
      kept->why = *why;
    return;
  }
  if (fit == kept->fit && kept->text &&
      (!text || size != kept->size || memcmp(text, kept->text, size) != 0)) {
    free(kept->text);
    kept->text = NULL;
    if (text)
      error_set(&kept->why, "%s and %s differ: expected one of them", kept->path, path);
    else
      kept->why = *why;
  }
  free(text);
}

/* The entry of a file: its lab's, that of the first source of no lab, or NULL. */
static struct found *place_of(struct search *s, const char *path, enum fit *fit) {
  const int lab = lab_of(s->kit, path, fit);
  if (lab >= 0 && (!s->only || s->only == &s->kit->labs[lab]))
    return &s->labs[lab];
  const bool foreign = lab < 0 && is_source(path);
  if (!s->other[0] || (foreign && s->sources == 0))
    snprintf(s->other, sizeof s->other, "%s", path);
  *fit = TOLERANT;
  return foreign && s->sources++ == 0 && s->only ? &s->foreign : NULL;
}

/* Skips files that archives and builds leave beside sources. */
static bool is_searched(const char *name, size_t length) {
  return name[0] != '.' && !(length == 8 && memcmp(name, "__MACOSX", 8) == 0) &&
         !(length == 5 && memcmp(name, "build", 5) == 0);
}

static bool is_path_searched(const char *path, int *depth) {
  size_t length;
  for (*depth = 0; (length = strcspn(path, "/")), path[length]; path += length + 1) {
    if (length == 0 || (length == 1 && path[0] == '.'))
      continue;
    if (!is_searched(path, length))
      return false;
    ++*depth;
  }
  return is_searched(path, length);
}

static void note_depth(struct search *s, const char *path) {
  struct error why;
  error_set(&why, "%s: not searched: deeper than %d folders", path, SUBMISSION_DEPTH);
  note_trouble(s, &why);
}

static bool look_at_entry(const struct submission_archive_entry *entry, void *context, struct error *error) {
  struct search *s = context;
  struct error why;
  char path[PATH_MAX], *text = NULL;
  int depth;
  enum fit fit;
  if (++s->entries > SUBMISSION_ENTRIES)
    return error_set(error, "%s: more than %d files: expected only labs' files", s->archive,
                     SUBMISSION_ENTRIES);
  if (!is_path_searched(entry->path, &depth) ||
      snprintf(path, sizeof path, "%s/%s", s->archive, entry->path) >= (int)sizeof path)
    return true;
  if (depth > SUBMISSION_DEPTH) {
    note_depth(s, path);
    return true;
  }
  if (submission_archive_is_name(path)) {
    error_set(&why, "%s: an archive inside an archive: expected the files themselves", path);
    note_trouble(s, &why);
    return true;
  }
  struct found *place = place_of(s, path, &fit);
  if (!place)
    return true;
  if (!entry->is_regular)
    error_set(&why, "%s: a link or a device: expected a regular file", path);
  else if (entry->size > SUBMISSION_BYTES)
    error_set(&why, "%s: %zu bytes: expected at most %d", path, entry->size, SUBMISSION_BYTES);
  else
    text = memcpy(allocate_zeroed(entry->size + 1, 1), entry->bytes, entry->size);
  offer(s, place, fit, path, text, entry->size, &why);
  return true;
}

/* An archive that cannot be read to its end is ignored. */
static void drop_archive(struct search *s, const struct error *why) {
  struct found *places[INSTALLATION_LABS + 1] = {&s->foreign};
  for (int n = 0; n < INSTALLATION_LABS; n++)
    places[n + 1] = &s->labs[n];
  for (int n = 0; n <= INSTALLATION_LABS; n++)
    if (places[n]->archive == s->archives) {
      free(places[n]->text);
      places[n]->text = NULL;
      places[n]->why = *why;
    }
}

static void look_into_archive(struct search *s, const char *path) {
  struct error why;
  const int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  s->archive = path;
  s->archives++;
  if (file < 0)
    error_set(&why, "%s: cannot open: %s", path, strerror(errno));
  if (file < 0 || !submission_archive_read(file, path, &s->unpacked, look_at_entry, s, &why)) {
    note_trouble(s, &why);
    drop_archive(s, &why);
  }
  s->archive = NULL;
  if (file >= 0)
    close(file);
}

static void look_at_file(struct search *s, const char *path, bool is_regular) {
  struct error why;
  enum fit fit;
  char *text = NULL;
  size_t size = 0;
  if (is_regular && submission_archive_is_name(path)) {
    look_into_archive(s, path);
    return;
  }
  struct found *place = place_of(s, path, &fit);
  if (place && fit >= place->fit) {
    read_file(path, &text, &size, &why);
    offer(s, place, fit, path, text, size, &why);
  }
}

static int is_entry_searched(const struct dirent *entry) {
  return is_searched(entry->d_name, strlen(entry->d_name));
}

static bool look_into(struct search *s, const char *folder, int depth, struct error *error) {
  struct dirent **entries;
  const int count = scandir(folder, &entries, is_entry_searched, alphasort);
  if (count < 0)
    return error_set(error, "%s: cannot read the folder: %s", folder, strerror(errno));
  bool fine =
      (s->entries += count) <= SUBMISSION_ENTRIES ||
      error_set(error, "%s: more than %d files: expected only labs' files", folder, SUBMISSION_ENTRIES);
  for (int n = 0; n < count; n++) {
    char path[PATH_MAX];
    struct stat status;
    const int length = snprintf(path, sizeof path, "%s/%s", folder, entries[n]->d_name);
    if (fine && length < PATH_MAX && lstat(path, &status) == 0) {
      if (!S_ISDIR(status.st_mode))
        look_at_file(s, path, S_ISREG(status.st_mode));
      else if (depth < SUBMISSION_DEPTH)
        fine = look_into(s, path, depth + 1, error);
      else
        note_depth(s, path);
    }
    free(entries[n]);
  }
  free(entries);
  return fine;
}

/* --- what was found --- */

static void put_found(struct submission *submission, int lab, struct found *found) {
  submission->texts[lab] = found->text;
  submission->sizes[lab] = found->size;
  submission->reasons[lab] = found->why;
  found->text = NULL;
}

/* The reason why there is nothing to grade. */
static bool say_nothing_found(const struct search *s, const char *path, const struct submission *submission,
                              struct error *error) {
  char all[2 * sizeof error->text] = "";
  for (int n = 0; n < s->kit->count; n++) {
    const char *why = submission->reasons[n].text;
    if (why[0] && !strstr(all, why))
      snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", all[0] ? "; " : "", why);
  }
  if (all[0] || s->trouble.text[0])
    return error_set(error, "%s", all[0] ? all : s->trouble.text);
  return error_set(error, "%s: no lab's file found: expected one such as %s.cu%s%s", path,
                   (s->only ? s->only : s->kit->labs)->rubric.program, s->other[0] ? ", found " : "",
                   last_part(s->other));
}

static bool take_found(struct search *s, const char *path, struct submission *submission,
                       struct error *error) {
  const int only = s->only ? (int)(s->only - s->kit->labs) : 0;
  bool any = false;
  for (int n = 0; n < s->kit->count; n++)
    put_found(submission, n, &s->labs[n]);
  if (s->only && s->labs[only].fit == NO_FIT && s->sources == 1)
    put_found(submission, only, &s->foreign);
  for (int n = 0; n < s->kit->count; n++)
    any |= submission->texts[n] != NULL;
  submission->passed_over = s->trouble;
  return any || say_nothing_found(s, path, submission, error);
}

/* A folder, or an archive. */
static bool read_many(const char *path, bool is_folder, struct installation *kit,
                      const struct installation_lab *only, struct submission *submission,
                      struct error *error) {
  struct search *s = allocate_zeroed(1, sizeof *s);
  *s = (struct search){.kit = kit, .only = only};
  bool read = true;
  if (is_folder)
    read = look_into(s, path, 0, error);
  else
    look_into_archive(s, path);
  read = read && take_found(s, path, submission, error);
  for (int n = 0; n < kit->known; n++)
    free(s->labs[n].text);
  free(s->foreign.text);
  free(s);
  return read;
}

static bool is_archive(const char *path) {
  const int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  const bool is = file >= 0 && submission_archive_is(file);
  if (file >= 0)
    close(file);
  return is && !is_source(path);
}

static bool read_single(const char *path, struct installation *kit, const struct installation_lab *only,
                        struct submission *submission, struct error *error) {
  char *text = NULL;
  size_t size = 0;
  enum fit fit;
  const int named = lab_of(kit, path, &fit), lab = only ? (int)(only - kit->labs) : named;
  if (!read_file(path, &text, &size,
                 error)) /* first, since anything but a regular file has its own message */
    return false;
  if (lab < 0)
    error_set(
        error,
        "%s: no lab has a file of this name: expected a lab's .cu file, a folder, an archive, or the option "
        "--lab NN",
        path);
  else if (named >= 0 && named != lab)
    error_set(error, "%s: this is the file of lab %s: expected one such as %s.cu", path,
              kit->labs[named].name, only->rubric.program);
  else if (lab >= kit->count)
    error_set(error, "%s: this is the file of the optional lab %s: expected the option --lab %.2s", path,
              kit->labs[lab].name, kit->labs[lab].name);
  else {
    submission->texts[lab] = text;
    submission->sizes[lab] = size;
    return true;
  }
  free(text);
  return false;
}

static void hash(const struct installation *kit, struct submission *submission) {
  struct sha256_ctx sum;
  sha256_init(&sum);
  for (int n = 0; n < kit->count; n++)
    if (submission->texts[n]) {
      char head[128];
      const int length = snprintf(head, sizeof head, "%s %zu\n", kit->labs[n].name, submission->sizes[n]);
      sha256_update(&sum, (size_t)length, (const uint8_t *)head);
      sha256_update(&sum, submission->sizes[n], (const uint8_t *)submission->texts[n]);
    }
  sha256_finish(&sum, submission->sha256);
}

/* In a tree like labs, a lab's folder without its file is reported. */
static void note_empty_labs(const char *path, const struct installation *kit,
                            const struct installation_lab *only, struct submission *submission) {
  for (int n = 0; n < kit->count; n++) {
    char folder[PATH_MAX];
    struct stat status;
    const char *lab = kit->labs[n].name;
    if (submission->texts[n] || submission->reasons[n].text[0] || (only && only != &kit->labs[n]) ||
        snprintf(folder, sizeof folder, "%s/%s", path, lab) >= PATH_MAX)
      continue;
    if (lstat(folder, &status) == 0 && S_ISDIR(status.st_mode))
      error_set(&submission->reasons[n], "%s: no %s.cu in this folder", lab, kit->labs[n].rubric.program);
  }
}

bool submission_read(const char *path, struct installation *kit, const struct installation_lab *only,
                     struct submission *submission, struct error *error) {
  char whole[PATH_MAX];
  struct stat status;
  *submission = (struct submission){0};
  if (!realpath(path, whole) || lstat(path, &status) != 0)
    return error_set(error, "%s: no such file or folder", path);
  snprintf(submission->name, sizeof submission->name, "%.255s", last_part(whole));
  const bool is_folder = S_ISDIR(status.st_mode);
  if (!(is_folder || is_archive(path) ? read_many(path, is_folder, kit, only, submission, error)
                                      : read_single(path, kit, only, submission, error))) {
    submission_free(submission);
    return false;
  }
  if (is_folder)
    note_empty_labs(path, kit, only, submission);
  hash(kit, submission);
  return true;
}

void submission_free(struct submission *submission) {
  for (int n = 0; n < INSTALLATION_LABS; n++)
    free(submission->texts[n]);
  *submission = (struct submission){0};
}
