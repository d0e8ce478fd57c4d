#include "app/web/web_request.h"

#include <fmt/format.h>

#include "base/errors.h"
#include "rules/error.h"

namespace app {

using nlohmann::ordered_json;

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
  const auto found = asked.find(key);
  if (found == asked.end() || found->is_null()) return standard;
  if (!found->is_string()) throw Refusal{400, fmt::format("{}: expected text", key)};
  return found->get<std::string>();
}

bool flag_of(const ordered_json& asked, const char* key) {
  const auto found = asked.find(key);
  if (found == asked.end() || found->is_null()) return false;
  if (!found->is_boolean()) throw Refusal{400, fmt::format("{}: expected true or false", key)};
  return found->get<bool>();
}

std::optional<int> number_of(const ordered_json& asked, const char* key, int low, int high) {
  const auto found = asked.find(key);
  if (found == asked.end() || found->is_null()) return std::nullopt;
  if (!found->is_number_integer() || *found < low || *found > high) {
    throw Refusal{400, fmt::format("{}: expected a whole number from {} to {}", key, low, high)};
  }
  return found->get<int>();
}

}  // namespace app
