#pragma once
// Files that may come from strangers, and files that are written aside.

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace nn {

// A regular file's whole content; empty for anything else, or where it cannot be read.
std::optional<std::string> read_file(const std::filesystem::path& path);

// Writes all of it to the file, also where signals interrupt; false, and errno says why, where that
// cannot be done.
bool write_all(int descriptor, std::string_view bytes);

// Lets `write` write a new file of another name beside the one asked for, and gives it its name
// then: a failure, which is thrown on, leaves what was there and no other file. What is no plain
// file is written as it is. Throws std::filesystem::filesystem_error where the name cannot be
// given.
template <class Write>
void write_aside(const std::filesystem::path& file, Write&& write) {
  namespace fs = std::filesystem;
  if (fs::exists(file) && !fs::is_regular_file(file)) return std::forward<Write>(write)(file);
  const fs::path aside = file.string() + ".new";
  std::error_code ignored;
  fs::remove(aside, ignored);  // one that a killed process left
  try {
    std::forward<Write>(write)(aside);
    fs::rename(aside, file);
  } catch (...) {
    fs::remove(aside, ignored);
    throw;
  }
}

// Builds the value until it is nested too deeply: copying, printing and destroying a value, and
// reading CBOR, take stack for every level.
template <class Json>
class BoundedBuilder : public nlohmann::detail::json_sax_dom_parser<Json> {
 public:
  explicit BoundedBuilder(Json& value)
      : nlohmann::detail::json_sax_dom_parser<Json>(value, /*allow_exceptions_=*/false) {}

  bool start_object(std::size_t size) { return enter() && Base::start_object(size); }
  bool end_object() { return --depth_ >= 0 && Base::end_object(); }
  bool start_array(std::size_t size) { return enter() && Base::start_array(size); }
  bool end_array() { return --depth_ >= 0 && Base::end_array(); }

 private:
  using Base = nlohmann::detail::json_sax_dom_parser<Json>;
  static constexpr int kDeepest = 32;
  bool enter() { return ++depth_ <= kDeepest; }
  int depth_ = 0;
};

// Text or CBOR as a value; discarded where it is neither, or nested deeper than 32 levels.
template <class Json = nlohmann::json>
Json parse(std::string_view text,
           typename Json::input_format_t format = Json::input_format_t::json) {
  Json value;
  BoundedBuilder<Json> builder(value);
  if (!Json::sax_parse(text.begin(), text.end(), &builder, format)) {
    return Json(Json::value_t::discarded);
  }
  return value;
}

}  // namespace nn
