/* Submissions that are archives: the files found in them, and refused archives. */
#include "program.h"
#include "submission.h"
#include "submission_archive.h"
#include "suite.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static struct installation kit = {.count = 2,
                                  .known = 2,
                                  .labs = {{.name = "01_stencil", .rubric = {.program = "stencil"}},
                                           {.name = "03_compressed", .rubric = {.program = "compressed"}}}};

/* Reads the path. says: the expected text of lab 03, or the reason if it begins with '!'. */
static void expect_read(const char *path, const char *says) {
  struct submission submission;
  struct error error = {""};
  const bool read = submission_read(path, &kit, NULL, &submission, &error);
  if (says[0] == '!') {
    ck_assert_msg(!read && strstr(error.text, says + 1), "%s: expected '%s' in: %s", path, says + 1,
                  error.text);
    return;
  }
  ck_assert_msg(read, "%s: %s", path, error.text);
  ck_assert_str_eq(submission.texts[1], says);
  submission_free(&submission);
}

#ifdef HAVE_LIBARCHIVE
#include <archive.h>
#include <archive_entry.h>

/* Opens a new archive; the end of its name gives its kind. */
static struct archive *create(const char *path) {
  struct archive *archive = archive_write_new();
  const char *end = strrchr(path, '.');
  if (strcmp(end, ".zip") == 0)
    archive_write_set_format_zip(archive);
  else
    archive_write_set_format_pax_restricted(archive);
  if (strcmp(end, ".gz") == 0 || strcmp(end, ".tgz") == 0)
    archive_write_add_filter_gzip(archive);
  else if (strcmp(end, ".xz") == 0)
    archive_write_add_filter_xz(archive);
  else if (strcmp(end, ".bz2") == 0)
    archive_write_add_filter_bzip2(archive);
  ck_assert_int_eq(archive_write_open_filename(archive, path), ARCHIVE_OK);
  return archive;
}

static void finish(struct archive *archive) {
  ck_assert_int_eq(archive_write_close(archive), ARCHIVE_OK);
  archive_write_free(archive);
}

static void add_bytes(struct archive *archive, const char *name, const char *bytes, size_t size,
                      size_t times) {
  struct archive_entry *entry = archive_entry_new();
  archive_entry_set_pathname(entry, name);
  archive_entry_set_mode(entry, AE_IFREG | 0644);
  archive_entry_set_size(entry, (la_int64_t)(size * times));
  ck_assert_int_eq(archive_write_header(archive, entry), ARCHIVE_OK);
  for (size_t n = 0; n < times; n++)
    ck_assert_int_eq(archive_write_data(archive, bytes, size), (la_ssize_t)size);
  archive_entry_free(entry);
}

/* "path=text", "path=@target" for a link, "path=%" for a device, "path/" for a folder. */
static void add(struct archive *archive, const char *file) {
  char name[256];
  const char *text = strchr(file, '=');
  if (text && text[1] != '@' && text[1] != '%') {
    snprintf(name, sizeof name, "%.*s", (int)(text - file), file);
    add_bytes(archive, name, text + 1, strlen(text + 1), 1);
    return;
  }
  struct archive_entry *entry = archive_entry_new();
  snprintf(name, sizeof name, "%.*s", (int)strcspn(file, "="), file);
  archive_entry_set_pathname(entry, name);
  archive_entry_set_mode(entry, !text ? AE_IFDIR | 0755 : text[1] == '@' ? AE_IFLNK | 0777 : AE_IFCHR | 0666);
  if (text && text[1] == '@')
    archive_entry_set_symlink(entry, text + 2);
  ck_assert_int_eq(archive_write_header(archive, entry), ARCHIVE_OK);
  archive_entry_free(entry);
}

static void write_archive(const char *path, const char *const *files) {
  struct archive *archive = create(path);
  for (; *files; files++)
    add(archive, *files);
  finish(archive);
}

static void shell(const char *command) {
  const struct program_result ended = program_run((const char *[]){"/bin/sh", "-c", command, NULL}, 20);
  ck_assert_msg(ended.status == 0, "%s: %s", command, ended.message);
}

#define DEEP "1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/"

static const struct {
  const char *path, *files[4], *says;
} archives[] = {
    {"a.zip", {"compressed.cu=a"}, "a"},
    {"a.tar", {"compressed.cu=a"}, "a"},
    {"a.tar.gz", {"./", "./compressed.cu=a"}, "a"},
    {"a.tgz", {"lab/", "lab/compressed.cu=a"}, "a"},
    {"a.tar.xz", {"compressed.cu=a"}, "a"},
    {"a.tar.bz2", {"compressed.cu=a"}, "a"},
    {"b.zip",
     {"\xc3\x9c"
      "bung 3/Compressed (1).cu=a",
      "stencil.cu=b"},
     "a"},
    {"b.zip",
     {"compressed.cu=a", "__MACOSX/._compressed.cu=b", "build/compressed.cu=c", ".git/compressed.cu=d"},
     "a"},
    {"b.zip",
     {"x/compressed.cu=a", "y/compressed.cu=b"},
     "!b.zip/x/compressed.cu and b.zip/y/compressed.cu differ"},
    {"b.tar", {"compressed.cu=@../../etc/passwd"}, "!b.tar/compressed.cu: a link or a device"},
    {"b.tar", {"compressed.cu=%"}, "!b.tar/compressed.cu: a link or a device"},
    {"b.tar", {"compressed.cu=a", "x=@y", "z=%"}, "a"},
    {"b.tar", {"compressed.cu=a", "../stencil.cu=b"}, "!b.tar: ../stencil.cu is outside the archive"},
    {"b.zip", {"compressed.cu=a", "x/../../y=b"}, "!b.zip: x/../../y is outside the archive"},
    {"b.tar", {"compressed.cu=a", "/tmp/stencil.cu=b"}, "!b.tar: /tmp/stencil.cu is outside the archive"},
    {"b.zip", {DEEP "compressed.cu=a"}, "a"},
    {"b.zip", {DEEP "17/compressed.cu=a"}, "!compressed.cu: not searched: deeper than 16 folders"},
    {"b.zip", {"inner.zip=PK\3\4"}, "!b.zip/inner.zip: an archive inside an archive"},
    {"b.zip",
     {"notes.txt=a"},
     "!b.zip: no lab's file found: expected one such as stencil.cu, found notes.txt"},
    {"b.zip", {"x/"}, "!b.zip: no lab's file found"},
};

START_TEST(labs_files_are_found_in_archives) {
  const char *files[5] = {NULL};
  for (int n = 0; n < 4; n++)
    files[n] = archives[_i].files[n];
  write_archive(archives[_i].path, files);
  expect_read(archives[_i].path, archives[_i].says);
  ck_assert_int_eq(access("../stencil.cu", F_OK), -1);
}
END_TEST

/* As Moodle packs submissions: a folder for each student, with the uploaded files. */
START_TEST(archives_in_folders_are_read) {
  shell("rm -rf in && mkdir in");
  write_archive("in/lab.zip", (const char *[]){"lab/compressed.cu=a", NULL});
  expect_read("in", "a");
  shell("printf b > in/compressed.cu");
  expect_read("in", "!in/compressed.cu and in/lab.zip/lab/compressed.cu differ");
  shell("cd in && rm compressed.cu && ln -s lab.zip other.zip && head -c 60 lab.zip > c.zip && mv c.zip "
        "lab.zip");
  expect_read("in", "!in/lab.zip: the archive cannot be read: ");
}
END_TEST

/* With --lab: one file of any name except another lab's. */
START_TEST(a_named_lab_is_found_in_archives) {
  struct submission submission;
  struct error error;
  write_archive("a.zip", (const char *[]){"x/final version.cu=a", "stencil.cu=b", NULL});
  ck_assert_msg(submission_read("a.zip", &kit, &kit.labs[1], &submission, &error), "%s", error.text);
  ck_assert_str_eq(submission.texts[1], "a");
  ck_assert_ptr_null(submission.texts[0]);
  submission_free(&submission);
  write_archive("a.zip", (const char *[]){"stencil.cu=b", NULL});
  ck_assert(!submission_read("a.zip", &kit, &kit.labs[1], &submission, &error));
  ck_assert_str_eq(error.text,
                   "a.zip: no lab's file found: expected one such as compressed.cu, found stencil.cu");
}
END_TEST

/* An archive that is only partly readable does not count. */
START_TEST(damaged_archives_are_refused) {
  char noise[5000];
  srand(1);
  for (size_t n = 0; n < sizeof noise; n++)
    noise[n] = (char)(rand() >> 8);
  struct archive *archive = create("whole.tar.gz");
  add(archive, "compressed.cu=a");
  add_bytes(archive, "more.bin", noise, sizeof noise, 10);
  finish(archive);
  shell("head -c 3000 whole.tar.gz > cut.tar.gz && printf 'PK\\003\\004 no zip' > no.zip && printf 'no tar' "
        "| gzip > no.tgz"
        " && printf '7z\\274\\257' > a.7z");
  expect_read("whole.tar.gz", "a");
  expect_read("cut.tar.gz", "!cut.tar.gz: the archive cannot be read: ");
  expect_read("no.zip", "!no.zip: the archive cannot be read: ");
  expect_read("no.tgz", "!no.tgz: the archive cannot be read: ");
  expect_read("a.7z", "!a.7z: an archive of another kind: expected .zip, .tar, .tar.gz, .tar.xz or .tar.bz2");
}
END_TEST

static void write_bomb(const char *path) {
  static const char zeros[1 << 20];
  struct archive *archive = create(path);
  add(archive, "compressed.cu=a");
  add_bytes(archive, "zeros", zeros, sizeof zeros, SUBMISSION_UNPACKED + 1);
  finish(archive);
}

START_TEST(bombs_are_refused) {
  write_bomb("bomb.zip");
  expect_read("bomb.zip", "!bomb.zip: the archive unpacks to more than 256 MiB");
  write_bomb("bomb.tar.gz");
  expect_read("bomb.tar.gz", "!bomb.tar.gz: the archive unpacks to more than 256 MiB");
  struct archive *archive = create("many.zip");
  for (int n = 0; n <= 20000; n++)
    add_bytes(archive, "x", "", 0, 1);
  finish(archive);
  expect_read("many.zip", "!many.zip: more than 20000 files");
  shell("gzip -c bomb.tar.gz > twice.tar.gz");
  expect_read("twice.tar.gz", "!twice.tar.gz: the archive cannot be read: ");
}
END_TEST

/* A file that is too large for a source is reported, and costs no memory. */
START_TEST(large_sources_are_refused) {
  static const char text[1024];
  struct archive *archive = create("large.zip");
  add_bytes(archive, "compressed.cu", text, sizeof text, 1025);
  finish(archive);
  expect_read("large.zip", "!compressed.cu: 1049600 bytes: expected at most 1048576");
}
END_TEST

#else

START_TEST(the_package_is_named) {
  FILE *file = fopen("a.zip", "w");
  ck_assert(file && fputs("PK\3\4", file) >= 0 && fclose(file) == 0);
  expect_read("a.zip", "!a.zip: this grader cannot read archives: install libarchive-dev and build it again");
}
END_TEST

#endif

int main(void) {
  TCase *cases = tcase_create("archives");
#ifdef HAVE_LIBARCHIVE
  tcase_add_loop_test(cases, labs_files_are_found_in_archives, 0, sizeof archives / sizeof *archives);
  tcase_add_test(cases, archives_in_folders_are_read);
  tcase_add_test(cases, a_named_lab_is_found_in_archives);
  tcase_add_test(cases, damaged_archives_are_refused);
  tcase_add_test(cases, bombs_are_refused);
  tcase_add_test(cases, large_sources_are_refused);
  tcase_set_timeout(cases, 60);
#else
  tcase_add_test(cases, the_package_is_named);
#endif
  program_enter_directory();
  return suite_run_case("submission_archive", cases);
}
