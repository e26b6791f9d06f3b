/* NVIDIA's own libraries, for work that needs no GPU. */
#pragma once

#include <dlfcn.h>
#include <stdio.h>

struct nvidia_library {
  const char *path, *contents;
  void *handle;
  int is_tried;
};

/* The library's function, or NULL after a line that says what is missing. */
static inline void *nvidia_find(struct nvidia_library *library, const char *function) {
  if (!library->is_tried && !(library->handle = dlopen(library->path, RTLD_NOW | RTLD_LOCAL)))
    fprintf(stderr, "simgpu: %s: install NVIDIA's package with %s\n", dlerror(), library->contents);
  library->is_tried = 1;
  return library->handle ? dlsym(library->handle, function) : NULL;
}
