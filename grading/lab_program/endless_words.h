/* After "stencil.cu:35" on standard error: the program was there when its CPU time was used up. */
#pragma once

#define ENDLESS_WORDS ": the host computes here when its CPU time is used up"
