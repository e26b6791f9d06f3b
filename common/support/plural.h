/* Regular plurals in messages: printf("%d sweep%s", n, PLURAL(n)). */
#pragma once

#define PLURAL(count) ((count) == 1 ? "" : "s")
#define PLURAL_IS(count) ((count) == 1 ? "is" : "are")
