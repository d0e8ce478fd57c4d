#pragma once
// The part of the page's API that its editor of one's own game asks.

#include <string>
#include <vector>

#include "app/web/web_request.h"

namespace app {

//   GET  /game/keys        bases: the names of rule sets; keys: section, key, expected and help
//   GET  /game/file/BASE   values of the base's keys: value by "section.key"
//   POST /game/check       text, a game's file: game_report_json(), some first positions (fens) and
//                          the values of its keys; or the one line of what is wrong, status 400
// For any thread. REQUIRES: the first word is "game". Throws refusals and what bad input throws.
WebReply handle_rules(const std::string& method, const std::vector<std::string>& words,
                      const nlohmann::ordered_json& asked);

}  // namespace app
