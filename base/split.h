#pragma once

#include <string_view>
#include <vector>

namespace base {

// The parts of the text between separators, empty ones too: one more than there are separators.
inline std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= text.size(); begin += parts.back().size() + 1) {
    parts.push_back(text.substr(begin, text.find(separator, begin) - begin));
  }
  return parts;
}

}  // namespace base
