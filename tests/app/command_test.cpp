// What it takes to add a command: one file, as this, and its name in app/commands/all_commands.cpp.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/command_line.h"
#include "base/errors.h"

namespace app {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Weigh final : Command {
  std::string what =
      option(what, CommandOption("what", "", "whose").one_of({"white", "black"}).mandatory());
  int pieces = option(pieces, CommandOption("--pieces", "N", "how many").range(0, 32), 8);
  std::optional<int> most = option(most, {"--most", "N", "at most"});
  std::string unit =
      option(unit, CommandOption("--unit", "", "in which unit").one_of({"pawn", "knight"}), "pawn");
  std::vector<int> values = option(values, {"--values", "N[,N...]", "of each"});
  std::vector<std::string> names =
      option(names, CommandOption("--name", "NAME", "of a piece").without({"--values"}));
  std::vector<double> bounds = option(bounds, {"--bounds", "LOW,HIGH", "between these"});
  bool sum = option(sum, CommandOption("--sum", "", "only the sum").only_with("--values"));
  std::optional<double> seconds = option(seconds, {"--max-time", "TIME", "how long it may take"});

  Weigh() : Command("weigh", "what pieces weigh", "A pawn weighs one.") {}
  int run(const CommonOptions& common) const override {
    return print(common, {{"pieces", pieces}}, std::to_string(pieces) + " pieces\n");
  }
};

// The command line with the command registered, as it is read.
struct Typed {
  explicit Typed(const std::vector<const char*>& words) {
    auto made = std::make_unique<Weigh>();
    weigh = made.get();
    commands.push_back(std::move(made));
    std::vector<const char*> argv{"sharpzero"};
    argv.insert(argv.end(), words.begin(), words.end());
    ::testing::internal::CaptureStdout();
    ::testing::internal::CaptureStderr();
    read = read_command_line(static_cast<int>(argv.size()), argv.data(), commands, common);
    out = ::testing::internal::GetCapturedStdout();
    error = ::testing::internal::GetCapturedStderr();
  }

  const Weigh* weigh = nullptr;
  std::vector<std::unique_ptr<Command>> commands = all_commands();
  CommonOptions common;
  ReadCommand read;
  std::string out, error;
};

TEST(ANewCommand, HasOptionsOfEveryKind) {
  const Typed typed({"weigh", "white", "--pieces", "0", "--most", "4", "--unit", "knight",
                     "--values", "3,5", "--sum", "--bounds", "-1.5,2", "--max-time", "1h30m",
                     "--seed", "7"});
  ASSERT_EQ(typed.read.command, typed.weigh) << typed.error;
  EXPECT_EQ(typed.weigh->what, "white");
  EXPECT_EQ(typed.weigh->pieces, 0);
  EXPECT_EQ(typed.weigh->most, 4);
  EXPECT_EQ(typed.weigh->unit, "knight");
  EXPECT_THAT(typed.weigh->values, ElementsAre(3, 5));
  EXPECT_THAT(typed.weigh->bounds, ElementsAre(-1.5, 2));
  EXPECT_TRUE(typed.weigh->sum);
  EXPECT_EQ(typed.weigh->seconds, 5400);
  EXPECT_EQ(typed.common.seed, 7);
  EXPECT_THAT(Typed({"weigh", "black", "--name", "a", "--name", "b"}).weigh->names,
              ElementsAre("a", "b"));
}

TEST(ANewCommand, IsInTheHelpAndHasItsOwn) {
  EXPECT_THAT(Typed({"--help"}).out, HasSubstr("what pieces weigh"));
  const std::string help = Typed({"weigh", "--help"}).out;
  for (const char* part : {"how many (default: 8)", "{pawn,knight}", "(not with --values)",
                           "A pawn weighs one.", "see `sharpzero --help`"}) {
    EXPECT_THAT(help, HasSubstr(part));
  }
}

TEST(ANewCommand, RefusesWhatItsOptionsDoNotTake) {
  const auto refused = [](const std::vector<const char*>& words, const char* why) {
    const Typed typed(words);
    EXPECT_EQ(typed.read.command, nullptr);
    EXPECT_EQ(typed.read.exit_code, kBadInput);
    EXPECT_EQ(typed.out, "");
    EXPECT_THAT(typed.error, HasSubstr(why));
    EXPECT_EQ(std::ranges::count(typed.error, '\n'), 1) << typed.error;
  };
  refused({"wiegh"}, "unknown command 'wiegh' (nearest: weigh)");
  refused({"weigh"}, "what is required");
  refused({"weigh", "green"}, "green not in {white,black}");
  refused({"weigh", "white", "--pieces", "33"}, "Value 33 not in range 0 to 32");
  refused({"weigh", "white", "--pieces", "03"}, "expected a whole number");
  refused({"weigh", "white", "--sum"}, "--sum requires --values");
  refused({"weigh", "white", "--values", "1", "--name", "a"}, "excludes");
  refused({"weigh", "white", "--bounds", "1"}, "--bounds");
  refused({"weigh", "white", "--max-time", "8x"}, "--max-time 8x: expected a time above zero");
  refused({"weigh", "white", "--wings"}, "unknown option '--wings'");
}

// What `sharpzero` hands over has no work in it.
TEST(Commands, AreLightOrInNet) {
  const Typed typed({"weigh", "white"});
  int in_net = 0;
  for (const auto& command : typed.commands) {
    if (command->name == "export" || command->name == "train" || command->name == "bench") {
      ++in_net;
      EXPECT_THROW(command->run(typed.common), NeedsNet) << command->name;
    }
  }
  EXPECT_EQ(in_net, 3);
  ::testing::internal::CaptureStdout();
  EXPECT_EQ(typed.weigh->run(typed.common), kDone);
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "8 pieces\n");
}

}  // namespace
}  // namespace app
