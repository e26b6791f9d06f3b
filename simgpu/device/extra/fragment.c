#include "fragment.h"

#include "operand.h"

struct fragment_part fragment_part_of(const struct fragment *f, u32 u, u32 i) {
  const u32 number = u * f->unit + i, bits = fragment_bits((enum matrix_type)f->type);
  return (struct fragment_part){f->place[number / f->per_register], number % f->per_register * bits,
                                bits < 32 ? (1u << bits) - 1 : ~0u};
}

void fragment_gather(const struct fragment *f, char **bases, struct fragment_steps step, u32 *narrow,
                     u64 *wide) {
  const u32 units = fragment_units(f);
  for (u32 u = 0; u < units; u++)
    for (u32 i = 0; i < f->unit; i++) {
      const struct fragment_part part = fragment_part_of(f, u, i);
      const struct element first = fragment_element(f, u, i, 0);
      const char *from = AT(part.place);
      const u32 start = first.line * step.line + first.at * step.at;
      for (u32 l = 0; l < LANES; l++) {
        const u32 to = start + l / 4 * step.line + l % 4 * f->unit * step.at;
        if (f->type == MATRIX_F64)
          wide[to] = ((const u64 *)from)[l];
        else
          narrow[to] = ((const u32 *)from)[l] >> part.shift & part.mask;
      }
    }
}

/* Writes whole registers: all elements of one have neighbouring numbers. */
void fragment_scatter(const struct fragment *f, char **bases, struct fragment_steps step, const u32 *narrow,
                      const u64 *wide) {
  const u32 units = fragment_units(f);
  for (u32 u = 0; u < units; u++)
    for (u32 i = 0; i < f->unit; i++) {
      const struct fragment_part part = fragment_part_of(f, u, i);
      const struct element first = fragment_element(f, u, i, 0);
      char *to = AT(part.place);
      const u32 start = first.line * step.line + first.at * step.at;
      for (u32 l = 0; l < LANES; l++) {
        const u32 from = start + l / 4 * step.line + l % 4 * f->unit * step.at;
        if (f->type == MATRIX_F64)
          ((u64 *)to)[l] = wide[from];
        else
          ((u32 *)to)[l] = part.shift ? ((u32 *)to)[l] | narrow[from] << part.shift : narrow[from];
      }
    }
}
