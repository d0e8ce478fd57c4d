#include "app/web/web_request.h"

#include <fmt/format.h>

#include "base/errors.h"
#include "rules/error.h"

namespace app {
namespace {

using nlohmann::ordered_json;

// The value under that key; empty where there is none. Throws where it is not as expected.
template <class T, class IsSound>
std::optional<T> value_of(const ordered_json& asked, const char* key, const std::string& expected,
                          IsSound is_sound) {
  const auto found = asked.find(key);
  if (found == asked.end() || found->is_null()) return std::nullopt;
  if (!is_sound(*found)) throw Refusal{400, fmt::format("{}: expected {}", key, expected)};
  return found->template get<T>();
}

}  // namespace

WebReply answered(const std::function<WebReply()>& answer) {
  try {
    return answer();
  } catch (const Refusal& refusal) {
    return {refusal.status, {{"error", refusal.message}}};
  } catch (const base::InputError& error) {
    return {400, {{"error", error.what()}}};
  } catch (const rules::RulesError& error) {
    return {400, {{"error", base::one_line(error.what())}}};
  }
}

std::string text_of(const ordered_json& asked, const char* key, const std::string& standard) {
  const auto is_text = [](const ordered_json& value) { return value.is_string(); };
  return value_of<std::string>(asked, key, "text", is_text).value_or(standard);
}

bool flag_of(const ordered_json& asked, const char* key) {
  const auto is_flag = [](const ordered_json& value) { return value.is_boolean(); };
  return value_of<bool>(asked, key, "true or false", is_flag).value_or(false);
}

std::optional<int> number_of(const ordered_json& asked, const char* key, int low, int high) {
  return value_of<int>(asked, key, fmt::format("a whole number from {} to {}", low, high),
                       [&](const ordered_json& value) {
                         return value.is_number_integer() && value >= low && value <= high;
                       });
}

}  // namespace app
