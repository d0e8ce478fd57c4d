#pragma once

#include <algorithm>
#include <bit>

#include "nn/encoder.h"

namespace nn {

// Expands the first `planes` bit planes to channels-last numbers: out[square][plane]. T holds the
// bits of 0 and 1.
template <class T>
void expand(const EncodedPosition& position, int planes, T one, T* out) {
  std::fill_n(out, 64 * planes, T{0});
  for (int plane = 0; plane < planes; ++plane) {
    for (std::uint64_t squares = position.planes[static_cast<std::size_t>(plane)]; squares;
         squares &= squares - 1) {
      out[std::countr_zero(squares) * planes + plane] = one;
    }
  }
}

}  // namespace nn
