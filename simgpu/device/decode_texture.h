/* Textures and surfaces. */
#pragma once

#include "decoder.h"

void decode_texture(struct decoder *d, struct op *op);
void decode_texture_query(struct decoder *d, struct op *op);
void decode_surface(struct decoder *d, struct op *op);
