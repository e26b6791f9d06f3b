/* NVRTC for the simulated GPU: NVIDIA's own compiler, which is asked for PTX where a program asks for machine code. */
#include "../nvidia.h"

#include <nvrtc.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { NEWEST = 90 }; /* compute capability times 10 of the simulated GPU */

static struct nvidia_library library = {NVRTC_LIBRARY, "NVRTC", NULL, 0};

static void *find(const char *name) { return nvidia_find(&library, name); }

#define REAL(name, parameters)                                                                               \
  nvrtcResult(*real) parameters = NULL;                                                                      \
  *(void **)&real = find(name);                                                                              \
  if (!real)                                                                                                 \
  return NVRTC_ERROR_INTERNAL_ERROR

#define FORWARD(name, parameters, arguments)                                                                 \
  nvrtcResult name parameters {                                                                              \
    REAL(#name, parameters);                                                                                 \
    return real arguments;                                                                                   \
  }

FORWARD(nvrtcVersion, (int *major, int *minor), (major, minor))
FORWARD(nvrtcGetNumSupportedArchs, (int *count), (count))
FORWARD(nvrtcGetSupportedArchs, (int *list), (list))
FORWARD(nvrtcCreateProgram,
        (nvrtcProgram * program, const char *source, const char *name, int count, const char *const *headers,
         const char *const *names),
        (program, source, name, count, headers, names))
FORWARD(nvrtcDestroyProgram, (nvrtcProgram * program), (program))
FORWARD(nvrtcGetPTXSize, (nvrtcProgram program, size_t *size), (program, size))
FORWARD(nvrtcGetPTX, (nvrtcProgram program, char *ptx), (program, ptx))
FORWARD(nvrtcGetLTOIRSize, (nvrtcProgram program, size_t *size), (program, size))
FORWARD(nvrtcGetLTOIR, (nvrtcProgram program, char *code), (program, code))
FORWARD(nvrtcGetProgramLogSize, (nvrtcProgram program, size_t *size), (program, size))
FORWARD(nvrtcGetProgramLog, (nvrtcProgram program, char *log), (program, log))
FORWARD(nvrtcAddNameExpression, (nvrtcProgram program, const char *name), (program, name))
FORWARD(nvrtcGetLoweredName, (nvrtcProgram program, const char *name, const char **lowered),
        (program, name, lowered))

const char *nvrtcGetErrorString(nvrtcResult result) {
  const char *(*real)(nvrtcResult) = NULL;
  *(void **)&real = find("nvrtcGetErrorString");
  return real ? real(result) : "NVRTC_ERROR_INTERNAL_ERROR";
}

/* cuModuleLoadData() of the simulated GPU takes PTX where hardware takes machine code. */
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t *size) { return nvrtcGetPTXSize(program, size); }
nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char *code) { return nvrtcGetPTX(program, code); }

/* --- the options --- */

/* The value of an option for the architecture: in it, or "" if it is the next word. NULL: another option. */
static const char *architecture_of(const char *option) {
  static const char *const names[] = {"--gpu-architecture", "-arch"};
  for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
    const size_t length = strlen(names[n]);
    if (strncmp(option, names[n], length) == 0 && (option[length] == '=' || !option[length]))
      return option + length + (option[length] == '=');
  }
  return NULL;
}

struct word {
  char text[40];
};

/* A virtual architecture instead of a real one, and none that is newer than the simulated GPU. */
static struct word virtual_architecture(const char *value) {
  struct word word = {"--gpu-architecture="};
  int number = 0;
  char feature = '\0';
  if (sscanf(value, "sm_%d%c", &number, &feature) < 1 && sscanf(value, "compute_%d%c", &number, &feature) < 1)
    snprintf(word.text, sizeof word.text, "--gpu-architecture=%.20s", value); /* the compiler explains it */
  else if (number == NEWEST && feature)
    snprintf(word.text, sizeof word.text, "--gpu-architecture=compute_%d%c", number, feature);
  else
    snprintf(word.text, sizeof word.text, "--gpu-architecture=compute_%d", number < NEWEST ? number : NEWEST);
  return word;
}

static bool asks_for_lines(const char *option) {
  return strcmp(option, "-lineinfo") == 0 || strcmp(option, "--generate-line-info") == 0 ||
         strcmp(option, "-G") == 0 || strcmp(option, "--device-debug") == 0;
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int count, const char *const *options) {
  REAL("nvrtcCompileProgram", (nvrtcProgram, int, const char *const *));
  if (count < 0 || (count > 0 && !options))
    return real(program, count, options);
  const char **words = malloc(((size_t)count + 1) * sizeof *words);
  struct word architecture;
  int used = 0;
  bool has_lines = false;
  if (!words)
    return NVRTC_ERROR_OUT_OF_MEMORY;
  for (int n = 0; n < count; n++) {
    const char *value = architecture_of(options[n]);
    if (value && !*value && n + 1 < count)
      value = options[++n];
    if (value)
      architecture = virtual_architecture(value);
    words[used++] = value ? architecture.text : options[n];
    has_lines |= asks_for_lines(options[n]);
  }
  if (!has_lines) /* for the device's messages */
    words[used++] = "-lineinfo";
  const nvrtcResult result = real(program, used, words);
  free(words);
  return result;
}
