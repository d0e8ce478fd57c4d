#pragma once

#include <algorithm>
#include <bit>

#include "nn/encoder.h"

namespace nn {

// Expands bit planes to channels-last numbers: out[square][plane]. T holds the bits of 0 and 1.
template <class T>
void expand(const EncodedPosition& position, T one, T* out) {
  std::fill_n(out, 64 * kPlanes, T{0});
  for (int plane = 0; plane < kPlanes; ++plane) {
    for (std::uint64_t squares = position.planes[static_cast<std::size_t>(plane)]; squares;
         squares &= squares - 1) {
      out[std::countr_zero(squares) * kPlanes + plane] = one;
    }
  }
}

}  // namespace nn
