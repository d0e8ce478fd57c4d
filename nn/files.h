#pragma once
// Reading files that may come from strangers.

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace nn {

// A regular file's whole content; empty for anything else, or where it cannot be read.
std::optional<std::string> read_file(const std::filesystem::path& path);

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
