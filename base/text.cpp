#include "base/text.h"

#include <istream>

#include "base/errors.h"

namespace base {

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= text.size(); begin += parts.back().size() + 1) {
    parts.push_back(text.substr(begin, text.find(separator, begin) - begin));
  }
  return parts;
}

bool read_line(std::istream& in, std::string& line) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (!std::getline(in, line)) return false;
  if (line.ends_with('\r')) line.pop_back();
  if (line.starts_with(kByteOrderMark)) line.erase(0, kByteOrderMark.size());
  return true;
}

std::int64_t whole_number(const std::string& what, std::string_view text, std::int64_t low,
                          std::int64_t high) {
  const auto value = parse_number<std::int64_t>(text);
  if (value && *value >= low && *value <= high) return *value;
  throw InputError(what + " '" + std::string(text) + "': expected a whole number from " +
                   std::to_string(low) + " to " + std::to_string(high));
}

}  // namespace base
