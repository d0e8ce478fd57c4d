#pragma once

#include <string>

namespace base {

// The processor's model name and, of the instruction sets that decide which precision is
// fastest, those it has: "Intel(R) Xeon(R) Processor (avx2 avx512f amx_bf16)". One model name can
// hide several machines: a virtual one may lack what the chip has. As far as the system tells
// (/proc/cpuinfo).
std::string processor();

}  // namespace base
