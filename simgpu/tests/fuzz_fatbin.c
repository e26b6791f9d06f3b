/* Parses any bytes as a container: the chosen PTX must lie inside it. */
#include <stdlib.h>
#include <string.h>

#include "fatbin.h"
#include "fuzz.h"

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc, (void)argv;
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const unsigned devices[] = {75, 90, 120};
  if (size < FATBIN_HEADER_SIZE)
    return 0;
  for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
    struct fatbin_ptx ptx = {0};
    enum fatbin_status status = fatbin_select(data, size, devices[i], &ptx);
    const uint8_t *text = (const uint8_t *)ptx.text;
    if (status == FATBIN_OK && (text < data || ptx.length > size - (size_t)(text - data) ||
                                ptx.arch > devices[i] || memchr(text, '\0', ptx.length)))
      abort();
    if (status == FATBIN_OK && fatbin_size(data) != size)
      abort();
  }
  return 0;
}

/* Corrects the container's size, so that mutations pass the first check. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
  size = LLVMFuzzerMutate(data, size, most);
  uint64_t payload = size - FATBIN_HEADER_SIZE;
  if (size >= FATBIN_HEADER_SIZE && seed % 8)
    memcpy(data + 8, &payload, sizeof payload);
  return size;
}
