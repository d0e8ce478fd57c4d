#pragma once
// Files that become part of the program.

// The assembler copies the file into the program: its bytes are those from `symbol`_begin to
// `symbol`_end. The object depends on the file, which CMake is told by OBJECT_DEPENDS.
#define SHARPZERO_ASSET(symbol, file)                                            \
  asm(".pushsection .rodata\n" #symbol "_begin:\n.incbin \"" file "\"\n" #symbol \
      "_end:\n"                                                                  \
      ".popsection\n");                                                          \
  extern "C" const char symbol##_begin[], symbol##_end[]
