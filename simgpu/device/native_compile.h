/* The compiler of native code: the one that built the device, in a process of its own, and a cache of what it made. */
#pragma once

#include "native_state.h"

/* Its path; tests have others. */
extern const char *native_compiler;
/* Compiles the text, which the function takes over, and calls ready(context, code), on a thread of its own
 * unless `wait`. options: of the compiler, up to NULL. Never calls it if that fails. only_cached: looks into
 * the cache only. */
void native_compile(char *text, const char *const *options, bool only_cached, bool wait,
                    void (*ready)(void *, native_function *), void *context);
/* Ends a compilation that is under way. */
void native_compile_stop(void);
