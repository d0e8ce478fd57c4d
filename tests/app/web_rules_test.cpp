#include "app/web/web_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "app/web/web_request.h"
#include "rules/rule_details.h"
#include "tests/app/process.h"

namespace app {
namespace {

using nlohmann::ordered_json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

WebReply ask_editor(const std::string& method, const std::vector<std::string>& words,
                    const ordered_json& asked = ordered_json::object()) {
  return answered([&] { return handle_rules(method, words, asked); });
}
WebReply check_text(const std::string& text) {
  return ask_editor("POST", {"game", "check"}, {{"text", text}});
}
std::string refusal_of(const WebReply& reply) {
  EXPECT_EQ(reply.status, 400);
  return reply.json.value("error", "");
}

TEST(WebRules, ListsBasesAndKeysWithTheirValues) {
  const ordered_json known = ask_editor("GET", {"game", "keys"}).json;
  EXPECT_EQ(known["bases"].size(), rules::kRuleSets.size());
  const ordered_json values = ask_editor("GET", {"game", "file", "chess"}).json["values"];
  EXPECT_EQ(values.size(), known["keys"].size());
  for (const ordered_json& key : known["keys"]) {
    const std::string name =
        key["section"].get<std::string>() + "." + key["key"].get<std::string>();
    EXPECT_TRUE(values.contains(name)) << name;
    EXPECT_FALSE(key["expected"].get<std::string>().empty()) << name;
  }
  EXPECT_EQ(values["kings.castling"], "'classical'");
  EXPECT_EQ(ask_editor("GET", {"game", "file", "no_such_set"}).status, 400);
  EXPECT_EQ(ask_editor("GET", {"game"}).status, 404);
}

TEST(WebRules, TellsWhatATextComesTo) {
  const ordered_json told = check_text(
                                "title = 'Turned'\nbased_on = 'chess'\n[setup]\nblack = 'turned'\n"
                                "[kings]\ncastling = 'none'\n")
                                .json;
  EXPECT_EQ(told["title"], "Turned");
  EXPECT_THAT(told["name"].get<std::string>(), StartsWith("Turned{"));
  EXPECT_THAT(told["fens"][0].get<std::string>(), StartsWith("rnbkqbnr/"));
  EXPECT_EQ(told["perft"], (ordered_json{20, 400, 8902}));
  EXPECT_EQ(told["values"]["setup.black"], "'turned'");
  EXPECT_TRUE(told["suspicious"].empty());
  const ordered_json shuffled = check_text("based_on = 'chess960'").json;
  EXPECT_EQ(shuffled["name"], "chess960");
  EXPECT_EQ(shuffled["starts"], 960);
  EXPECT_GT(shuffled["fens"].size(), 1U);
  EXPECT_NE(shuffled["fens"][0], shuffled["fens"][1]);
}

TEST(WebRules, SaysWhereATextIsWrong) {
  EXPECT_EQ(refusal_of(check_text("based_on = 'chess'\n\n[pawns]\ndouble_step = [9]\n")),
            "my_game.toml:4: pawns.double_step '9': expected a list of rows from 2 to 5");
  EXPECT_THAT(refusal_of(check_text("[pawns\n")), StartsWith("my_game.toml:1: "));
  EXPECT_EQ(ask_editor("POST", {"game", "check"}, {{"text", 7}}).status, 400);
}

// Neither a text nor a name makes the server open a file, even one that is a sound game.
TEST(WebRules, ReadsNoFile) {
  const TemporaryFolder folder;
  const std::string file = folder / "game.toml";
  std::ofstream(file) << "based_on = 'chess'\n[setup]\nblack = 'turned'\n";
  ASSERT_NE(rules::RuleSet::parse_or_read(file).game, 0);
  EXPECT_THAT(refusal_of(check_text("based_on = '" + file + "'")), HasSubstr("no further file"));
  for (const std::string& name :
       {file, "A{based_on='" + file + "'}", "A{based_on=\"B{based_on='" + file + "'}\"}"}) {
    EXPECT_THROW(rules::RuleSet::parse(name), rules::RulesError) << name;
  }
}

// However often a game is changed, as many can be played as before.
TEST(WebRules, AGameThatIsCheckedTakesNoNumber) {
  for (int i = 0; i < 300; ++i) {
    const std::string title = "Game " + std::to_string(i);
    ASSERT_EQ(check_text("title = '" + title + "'\n[ends]\nimpasse_turns = 37\n").json["title"],
              title);
  }
  const std::string name = check_text("title = 'Last'\n[ends]\nimpasse_turns = 38\n").json["name"];
  const rules::RuleSet played = rules::RuleSet::parse(name);
  EXPECT_EQ(played.name(), name);
  check_text("title = 'Other'\n[ends]\nimpasse_turns = 39\n");
  EXPECT_EQ(played.name(), name);
}

}  // namespace
}  // namespace app
