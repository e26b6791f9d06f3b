/* fuzz_TARGET_corpus FOLDER: gives every file of the folder to the target, as libFuzzer would. It needs no
 * compiler support, so every test run includes the corpus. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "fuzz.h"

enum { MOST_SECONDS = 10 }; /* for one file; the alarm ends the program */

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most) {
  (void)data;
  return size < most ? size : most;
}

static void replay(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file || fseek(file, 0, SEEK_END) != 0) {
    perror(path);
    exit(2);
  }
  long size = ftell(file);
  rewind(file);
  uint8_t *data =
      malloc(size > 0 ? (size_t)size : 1); /* exact size, so that a read past its end is detected */
  if (!data || size < 0 || fread(data, 1, (size_t)size, file) != (size_t)size) {
    perror(path);
    exit(2);
  }
  fclose(file);
  fprintf(stderr, "%s\n", path);
  alarm(MOST_SECONDS);
  LLVMFuzzerTestOneInput(data, (size_t)size);
  alarm(0);
  free(data);
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
    return 2;
  }
  LLVMFuzzerInitialize(&argc, &argv);
  DIR *folder = opendir(argv[1]);
  if (!folder) {
    perror(argv[1]);
    return 2;
  }
  unsigned count = 0;
  for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
    char path[4096];
    if (entry->d_name[0] == '.')
      continue;
    snprintf(path, sizeof path, "%s/%s", argv[1], entry->d_name);
    replay(path);
    count++;
  }
  closedir(folder);
  if (count == 0)
    fprintf(stderr, "%s: no files, expected a corpus\n", argv[1]);
  else
    printf("%u files replayed\n", count);
  return count == 0;
}
