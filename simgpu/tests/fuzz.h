/* The functions that libFuzzer calls, or fuzz_replay.c, which replays a corpus. A target takes any bytes and
 * returns; a crash, a sanitizer's report or a timeout is a finding. */
#pragma once

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most); /* libFuzzer's own */
