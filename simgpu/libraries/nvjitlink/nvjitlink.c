/* nvJitLink for the simulated GPU: NVIDIA's own linker of LTO-IR, which is asked for PTX where a program asks
 * for machine code. */
#define NVJITLINK_NO_INLINE
#include "../nvidia.h"

#include <nvJitLink.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static struct nvidia_library library = {NVJITLINK_LIBRARY, "nvJitLink", NULL, 0};

/* The header's functions have the toolkit's version in their names, which SUFFIX is. */
#define PASTE(name, suffix) __nvJitLink##name##suffix
#define VERSIONED(name, suffix) PASTE(name, suffix)
#define TEXT(suffix) #suffix
#define NAME_OF(name, suffix) "__nvJitLink" #name TEXT(suffix)

#define REAL(text, parameters)                                                                               \
  nvJitLinkResult(*real) parameters = NULL;                                                                  \
  *(void **)&real = nvidia_find(&library, text);                                                             \
  if (!real)                                                                                                 \
  return NVJITLINK_ERROR_INTERNAL

#define FORWARD_TO(name, other, parameters, arguments)                                                       \
  nvJitLinkResult VERSIONED(name, SUFFIX) parameters {                                                       \
    REAL(NAME_OF(other, SUFFIX), parameters);                                                                \
    return real arguments;                                                                                   \
  }
#define FORWARD(name, parameters, arguments) FORWARD_TO(name, name, parameters, arguments)

FORWARD(Destroy, (nvJitLinkHandle * handle), (handle))
FORWARD(AddData,
        (nvJitLinkHandle handle, nvJitLinkInputType type, const void *data, size_t size, const char *name),
        (handle, type, data, size, name))
FORWARD(AddFile, (nvJitLinkHandle handle, nvJitLinkInputType type, const char *file), (handle, type, file))
FORWARD(Complete, (nvJitLinkHandle handle), (handle))
FORWARD(GetLinkedPtxSize, (nvJitLinkHandle handle, size_t *size), (handle, size))
FORWARD(GetLinkedPtx, (nvJitLinkHandle handle, char *ptx), (handle, ptx))
FORWARD(GetErrorLogSize, (nvJitLinkHandle handle, size_t *size), (handle, size))
FORWARD(GetErrorLog, (nvJitLinkHandle handle, char *text), (handle, text))
FORWARD(GetInfoLogSize, (nvJitLinkHandle handle, size_t *size), (handle, size))
FORWARD(GetInfoLog, (nvJitLinkHandle handle, char *text), (handle, text))

/* cuModuleLoadData() of the simulated GPU takes PTX where hardware takes machine code. */
FORWARD_TO(GetLinkedCubinSize, GetLinkedPtxSize, (nvJitLinkHandle handle, size_t *size), (handle, size))
FORWARD_TO(GetLinkedCubin, GetLinkedPtx, (nvJitLinkHandle handle, void *code), (handle, code))

nvJitLinkResult nvJitLinkVersion(unsigned *major, unsigned *minor) {
  REAL("nvJitLinkVersion", (unsigned *, unsigned *));
  return real(major, minor);
}

static bool has(uint32_t count, const char *const *options, const char *wanted) {
  for (uint32_t n = 0; n < count; n++)
    if (strcmp(options[n], wanted) == 0)
      return true;
  return false;
}

/* The type of the options differs between toolkits, so the header's declaration is not used. */
nvJitLinkResult create(nvJitLinkHandle *handle, uint32_t count,
                       const char *const *options) __asm__(NAME_OF(Create, SUFFIX));

nvJitLinkResult create(nvJitLinkHandle *handle, uint32_t count, const char *const *options) {
  REAL(NAME_OF(Create, SUFFIX), (nvJitLinkHandle *, uint32_t, const char *const *));
  if (count > 0 && !options)
    return real(handle, count, options);
  if (!has(count, options, "-lto")) {
    fprintf(stderr, "simgpu: nvJitLink links only LTO-IR here: expected the option -lto\n");
    return NVJITLINK_ERROR_INVALID_INPUT;
  }
  const char **words = malloc((count + 2) * sizeof *words);
  if (!words)
    return NVJITLINK_ERROR_INTERNAL;
  memcpy(words, options, count * sizeof *words);
  uint32_t used = count;
  if (!has(count, options, "-ptx"))
    words[used++] = "-ptx";
  if (!has(count, options, "-lineinfo")) /* for the device's messages */
    words[used++] = "-lineinfo";
  const nvJitLinkResult result = real(handle, used, words);
  free(words);
  return result;
}
