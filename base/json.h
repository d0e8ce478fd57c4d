#pragma once
// JSON that may come from strangers.

#include <nlohmann/json.hpp>
#include <string_view>

namespace base {

// Reads on until a value is nested too deeply: building, copying, printing and destroying it takes
// stack for every level.
template <class Json>
class DepthCheck : public nlohmann::json_sax<Json> {
 public:
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(typename Json::number_integer_t) override { return true; }
  bool number_unsigned(typename Json::number_unsigned_t) override { return true; }
  bool number_float(typename Json::number_float_t, const typename Json::string_t&) override {
    return true;
  }
  bool string(typename Json::string_t&) override { return true; }
  bool binary(typename Json::binary_t&) override { return true; }
  bool key(typename Json::string_t&) override { return true; }
  bool start_object(std::size_t) override { return enter(); }
  bool end_object() override { return leave(); }
  bool start_array(std::size_t) override { return enter(); }
  bool end_array() override { return leave(); }
  bool parse_error(std::size_t, const std::string&, const typename Json::exception&) override {
    return false;
  }

 private:
  static constexpr int kDeepest = 32;
  bool enter() { return ++depth_ <= kDeepest; }
  bool leave() { return --depth_ >= 0; }
  int depth_ = 0;
};

// Text or CBOR as a value; discarded where it is neither, or nested deeper than 32 levels.
template <class Json = nlohmann::json>
Json parse(std::string_view text,
           typename Json::input_format_t format = Json::input_format_t::json) {
  DepthCheck<Json> check;
  if (!Json::sax_parse(text.begin(), text.end(), &check, format)) {
    return Json(Json::value_t::discarded);
  }
  constexpr bool kThrows = false;
  return format == Json::input_format_t::cbor
             ? Json::from_cbor(text.begin(), text.end(), /*strict=*/true, kThrows)
             : Json::parse(text.begin(), text.end(), nullptr, kThrows);
}

}  // namespace base
