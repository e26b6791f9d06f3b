// Row 10: the assembler includes a secret and complains about its words.
asm(".include \"@SECRET@/word\"\n");
