/* In the place of the folder extra, where a copy of the project has none: matrix instructions and
 * textures are refused. */
#include "decode_matrix.h"
#include "decode_texture.h"
#include "device/matrix.h"
#include "texture.h"

static const char expected[] = "not part of this copy of the simulated GPU: expected the whole project";

void decode_matrix(struct decoder *d, struct op *op) {
  (void)op;
  decoder_refuse(d, "matrix instructions are %s", expected);
}

static void refuse_texture(struct decoder *d) { decoder_refuse(d, "textures and surfaces are %s", expected); }

void decode_texture(struct decoder *d, struct op *op) {
  (void)op;
  refuse_texture(d);
}

void decode_texture_query(struct decoder *d, struct op *op) {
  (void)op;
  refuse_texture(d);
}

void decode_surface(struct decoder *d, struct op *op) {
  (void)op;
  refuse_texture(d);
}

/* Objects are numbers that only instructions look at. */
uint32_t texture_new(struct textures *textures, const struct sim_texture *description) {
  (void)description;
  return ++textures->count;
}

bool texture_free(struct textures *textures, uint32_t number) {
  return number > 0 && number <= textures->count;
}

void texture_free_all(struct textures *textures) { textures->count = 0; }

/* Nothing of these was decoded. */
bool matrix_run(struct warp *w, const struct op *op, char **bases, uint32_t pc, uint32_t m,
                struct instruction_statistics *stats) {
  (void)w, (void)op, (void)bases, (void)pc, (void)m, (void)stats;
  return false;
}

bool texture_run(struct warp *w, const struct op *op, char **bases, uint32_t pc, uint32_t m) {
  (void)w, (void)op, (void)bases, (void)pc, (void)m;
  return false;
}
