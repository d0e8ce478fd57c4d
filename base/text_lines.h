#pragma once

#include <istream>
#include <string>
#include <string_view>

namespace base {

// Reads the next line of a text of any system: without its end, be it LF or CR LF, and without the
// byte order mark of UTF-8 with which some editors begin a file. False at the end of the text.
inline bool read_line(std::istream& in, std::string& line) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (!std::getline(in, line)) return false;
  if (line.ends_with('\r')) line.pop_back();
  if (line.starts_with(kByteOrderMark)) line.erase(0, kByteOrderMark.size());
  return true;
}

}  // namespace base
