/* The constants of the time model (model_constants.def) as constants of C. */
#pragma once

#define MODEL_REAL(name, value, unit) static const double name __attribute__((unused)) = value;
#define MODEL_COUNT(name, value, unit) enum { name = value };
#include "model_constants.def"
#undef MODEL_REAL
#undef MODEL_COUNT
