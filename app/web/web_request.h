#pragma once
// What the parts of the page's API share: replies, streams, and how a request is read.

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace app {

struct WebReply {
  int status = 200;
  nlohmann::ordered_json json;  // {"error": one line} from status 400 on
};

// Sends an event: "report" or "end", and its data. Null data only asks whether somebody listens.
// False: nobody does.
using SendEvent = std::function<bool(std::string_view name, const nlohmann::ordered_json& data)>;
// Sends events until it is done or nobody listens.
using WebStream = std::function<void(const SendEvent& send)>;
using WebParameters = std::map<std::string, std::string>;

// A request that is not answered: the HTTP status and one line. Thrown.
struct Refusal {
  int status;
  std::string message;
};

// Returns the reply of `answer`, or that which says in one line why there is none: a Refusal, or
// bad input (status 400).
WebReply answered(const std::function<WebReply()>& answer);

// The text under that key of a JSON object, or the standard where there is none. Throws a refusal
// where it is no text.
std::string text_of(const nlohmann::ordered_json& asked, const char* key,
                    const std::string& standard = "");
// Whether true stands under that key. Throws a refusal where it is another thing than true or
// false.
bool flag_of(const nlohmann::ordered_json& asked, const char* key);
// The whole number under that key; empty where there is none. Throws a refusal where it is another
// thing, or out of the range.
std::optional<int> number_of(const nlohmann::ordered_json& asked, const char* key, int low,
                             int high);

}  // namespace app
