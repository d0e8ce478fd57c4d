// What it takes to add a study: figures, words, and one registration.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "app/command_line.h"
#include "app/commands/parts/study_answer.h"
#include "base/errors.h"
#include "base/files.h"
#include "studies/estimates.h"
#include "studies/words.h"
#include "tests/temporary_folder.h"

namespace app {
namespace {

using ::testing::HasSubstr;

// How long games are: the figures, and the study that computes them.
struct LengthFigures {
  int simulations = 0;
  studies::Estimate plies;
};
struct LengthStudy final : studies::Study {
  LengthStudy() : Study("length", "how long games are") {}
  std::vector<base::CommandOption> options() override {
    return {base::CommandOption("--sims", "N", "simulations a move", &simulations).range(1, 100),
            {"--half", "", "count moves, not plies", &half}};
  }
  studies::Answer run(studies::Subject& subject) const override;

  int simulations = 4;
  bool half = false;
};

// The words.
studies::Answer words(const LengthFigures& figures) {
  return {{{"plies", studies::json_of(figures.plies)}},
          "plies " + studies::text_of(figures.plies, 1) + "\n"};
}

studies::Answer LengthStudy::run(studies::Subject& subject) const {
  std::vector<studies::Sample> samples;
  for (const auto& game : subject.games(subject.config(simulations, subject.table("default")))) {
    samples.push_back({0, game.seed, static_cast<double>(game.plies.size()) / (half ? 2 : 1)});
  }
  return words({simulations, studies::mean_of(samples)});
}

// A subject that knows nothing; its games are gone with it.
class Hashed final : public studies::Subject {
 public:
  std::string name() const override { return "hash"; }
  rules::RuleSet rules() const override { return {}; }
  rules::ScoringTable table(const std::string& text) const override {
    return rules::ScoringTable::from_changes(text);
  }
  std::vector<std::filesystem::path> checkpoints(int) const override { return {}; }
  void take(const std::filesystem::path&) override {}
  std::unique_ptr<studies::Thinker> thinker() const override { return hashed(); }
  studies::SelfGamesConfig config(int simulations,
                                  const rules::ScoringTable& table) const override {
    studies::SelfGamesConfig config;
    config.games = 6;
    config.simulations = simulations;
    config.table = table;
    return config;
  }
  std::vector<selfplay::GameRecord> games(const studies::SelfGamesConfig& config) override {
    if (stop) throw studies::Stopped{};
    selfplay::GameStore store(folder / "games.db", selfplay::StoreMode::kWrite);
    return studies::self_games(config, hashed, store, {}, false);
  }
  std::vector<selfplay::GameRecord> unseen(const std::filesystem::path&) const override {
    return {};
  }
  bool stopped() const override { return false; }

  const studies::MakeThinker hashed =
      studies::tree_thinker([] { return std::make_unique<mcts::HashEvaluator>(); });
  const TemporaryFolder folder;
  bool stop = false;
};

// The command line with the study registered, as it is read.
struct TypedStudy {
  explicit TypedStudy(const std::vector<const char*>& words) {
    auto made = std::make_unique<LengthStudy>();
    study = made.get();
    commands.push_back(study_command(std::move(made)));
    std::vector<const char*> argv{"sharpzero"};
    argv.insert(argv.end(), words.begin(), words.end());
    ::testing::internal::CaptureStdout();
    read = read_command_line(static_cast<int>(argv.size()), argv.data(), commands, common);
    out = ::testing::internal::GetCapturedStdout();
  }
  // The exit code, and what is printed.
  std::pair<int, std::string> run(Hashed& subject) const {
    ::testing::internal::CaptureStdout();
    const int code = run_study(*study, subject, subject.folder / "out", common);
    return {code, ::testing::internal::GetCapturedStdout()};
  }

  const LengthStudy* study = nullptr;
  std::vector<std::unique_ptr<Command>> commands = all_commands();
  CommonOptions common;
  ReadCommand read;
  std::string out;
};

TEST(ANewStudy, HasItsOptionsBesideThoseOfAll) {
  const TypedStudy typed({"length", "--sims", "3", "--half", "--games", "10", "--net", "x"});
  ASSERT_NE(typed.read.command, nullptr);
  EXPECT_EQ(typed.read.command->name, "length");
  EXPECT_EQ(typed.study->simulations, 3);
  EXPECT_TRUE(typed.study->half);
  const TypedStudy refused({"length", "--sims", "101"});
  EXPECT_EQ(refused.read.command, nullptr);
  EXPECT_EQ(refused.read.exit_code, kBadInput);
  const std::string help = TypedStudy({"length", "--help"}).out;
  EXPECT_THAT(help, HasSubstr("simulations a move (default: 4)"));
  EXPECT_THAT(help, HasSubstr("games of each kind (default: 400)"));
  EXPECT_THAT(help, HasSubstr("kept in DIR/games.db"));
  EXPECT_THAT(TypedStudy({"--help"}).out, HasSubstr("how long games are"));
}

TEST(ANewStudy, AnswersOnStdoutInItsFileAndHasAReport) {
  Hashed subject;
  const auto [code, out] = TypedStudy({"length", "--sims", "2", "--json"}).run(subject);
  EXPECT_EQ(code, kDone);
  const auto answer = nlohmann::ordered_json::parse(out);
  EXPECT_EQ(answer["study"], "length");
  EXPECT_GT(answer["plies"]["mean"], 0);
  const std::filesystem::path folder = subject.folder / "out";
  EXPECT_EQ(nlohmann::ordered_json::parse(base::read_text(folder / "length.json")), answer);
  EXPECT_TRUE(std::filesystem::exists(folder / "report.html"));
  const auto [same, text] = TypedStudy({"length", "--sims", "2"}).run(subject);
  EXPECT_EQ(same, kDone);
  EXPECT_THAT(text, HasSubstr("plies "));
  EXPECT_THAT(text, HasSubstr("report "));
}

TEST(ANewStudy, CanBeStopped) {
  Hashed subject;
  subject.stop = true;
  const auto [code, out] = TypedStudy({"length", "--json"}).run(subject);
  EXPECT_EQ(code, kInterrupted);
  EXPECT_TRUE(nlohmann::ordered_json::parse(out)["stopped"].get<bool>());
  EXPECT_FALSE(std::filesystem::exists(subject.folder / "out"));
}

}  // namespace
}  // namespace app
