#pragma once
// The NNUE's arithmetic, compiled once for each level of processors. All agree bit for bit.
// Includes nothing with inline functions (cmake/CpuLevels.cmake).

#include <stddef.h>
#include <stdint.h>

namespace tactics {

// NnueShape's, and the outcomes, in plain numbers.
inline constexpr size_t kNnueSums = 256, kNnueHidden = 32, kNnueTable = 12, kNnueOutputs = 8;

// What an evaluation reads: NnueWeights' layers behind the sums, `first` packed by groups of four
// inputs, all outputs of a group side by side. Aligned to 64 bytes.
struct NnueLayers {
  const int8_t* first;
  const float *first_scale, *second, *second_bias, *out, *out_bias;
};

struct NnueKernels {
  // to = from and the rows of the features that come, less those of the features that go: rows,
  // from and to of kNnueSums numbers.
  void (*change_sums)(const int16_t* from, const uint16_t* come, size_t comes, const uint16_t* go,
                      size_t goes, const int16_t* rows, int16_t* to);
  // bias[k] += sum of told[n] * table[n][k]: [kNnueTable] times [kNnueTable][kNnueHidden].
  void (*add_table)(const float* told, const float* table, float* bias);
  // Writes the seven outcomes' probabilities behind the two views' sums; `bias` of the first layer.
  void (*outcomes)(const int16_t* mover, const int16_t* other, const float* bias,
                   const NnueLayers& layers, float* out);
};

namespace baseline {
extern const NnueKernels kNnueKernels;
}
#if defined(__x86_64__)
namespace avx2 {
extern const NnueKernels kNnueKernels;
}
namespace avx_vnni {
extern const NnueKernels kNnueKernels;
}
namespace avx512 {
extern const NnueKernels kNnueKernels;
}
namespace avx512_vnni {
extern const NnueKernels kNnueKernels;
}
// By base::CpuLevel.
inline constexpr const NnueKernels* kNnueKernels[] = {
    &baseline::kNnueKernels, &avx2::kNnueKernels, &avx_vnni::kNnueKernels, &avx512::kNnueKernels,
    &avx512_vnni::kNnueKernels};
#else
inline constexpr const NnueKernels* kNnueKernels[] = {&baseline::kNnueKernels};
#endif

}  // namespace tactics
