#include "training/assets.h"

// The assembler copies the files named by the build (SHARPZERO_*) into the program.
#define SHARPZERO_ASSET(symbol, file)                                            \
  asm(".pushsection .rodata\n" #symbol "_begin:\n.incbin \"" file "\"\n" #symbol \
      "_end:\n"                                                                  \
      ".popsection\n");                                                          \
  extern "C" const char symbol##_begin[], symbol##_end[]

SHARPZERO_ASSET(sharpzero_report_page, SHARPZERO_REPORT_PAGE);
SHARPZERO_ASSET(sharpzero_chart_library, SHARPZERO_CHART_LIBRARY);

namespace training {

std::string_view report_page() { return {sharpzero_report_page_begin, sharpzero_report_page_end}; }

std::string_view chart_library() {
  return {sharpzero_chart_library_begin, sharpzero_chart_library_end};
}

}  // namespace training
