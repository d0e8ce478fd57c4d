#include "training/settings/run_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "base/errors.h"
#include "rules/rule_set.h"
#include "tests/temporary_folder.h"

namespace training {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;
using testing::ThrowsMessage;

RunConfig config_of(std::string rule_set, std::string table) {
  RunConfig config;
  config.rules.rule_set = std::move(rule_set);
  config.rules.scoring_table = std::move(table);
  return config;
}

TEST(RunConfig, WithoutATableOutcomesPayWhatTheRuleSetSays) {
  for (const auto& set : rules::kRuleSets) {
    EXPECT_EQ(scoring_table(config_of(std::string(set.name), "default")), set.rules.table());
  }
  EXPECT_EQ(scoring_table(RunConfig{}), rules::ScoringTable{});
}

TEST(RunConfig, ATableIsAListOfChangesToTheRuleSetsOwn) {
  rules::ScoringTable expected = rules::kChess.table();
  expected.points_white[1] = 4;
  EXPECT_EQ(scoring_table(config_of("chess", "white_stalemated=4")), expected);
}

// The config in a run's folder, from which the run goes on.
TEST(RunConfig, WhatARunWritesGivesItsTableAgain) {
  for (const char* table : {"default", "stalemate=4,bishop=3.25"}) {
    RunConfig before = config_of("stalemate_win", table), after;
    std::vector<Option> options = options_of(after);
    read_options(to_toml(before, true), "config.toml", options);
    EXPECT_EQ(scoring_table(after), scoring_table(before));
  }
}

RunConfig preset(const std::string& name) {
  return load_config(std::filesystem::path(SHARPZERO_CONFIGS) / (name + ".toml"));
}

TEST(RunConfig, WarnsOfSoFewPliesThatShortGamesComeFirst) {
  RunConfig config;
  config.selfplay.games = 256;
  config.run.plies_per_generation = 64 * 256;
  EXPECT_THAT(warnings(config), testing::IsEmpty());
  --config.run.plies_per_generation;
  EXPECT_THAT(warnings(config), testing::ElementsAre(testing::HasSubstr("is 63 plies a game")));
}

TEST(RunConfig, PresetsWarnOfNothing) {
  for (const char* name : {"quick", "cpu", "gpu-overnight"}) {
    EXPECT_THAT(warnings(preset(name)), testing::IsEmpty()) << name;
  }
}

// What a processor's run was measured to learn by is what a GPU's learns by.
TEST(RunConfig, TheGpuPresetDiffersFromTheCpuPresetInSizesAlone) {
  const std::set<std::string> sizes{
      "simulations", "fast_simulations", "games", "final_games",      "batch",
      "window_min",  "window_max",       "every", "warmup_positions", "average_positions"};
  const auto gpu = to_json(preset("gpu-overnight")), cpu = to_json(preset("cpu"));
  for (const auto& [section, options] : gpu.items()) {
    if (section == "run" || section == "network") continue;
    for (const auto& [key, option] : options.items()) {
      if (sizes.contains(key)) continue;
      EXPECT_EQ(option["value"], cpu[section][key]["value"]) << section << "." << key;
    }
  }
}

TEST(RunConfig, TheLearningRateFollowsBatchAndWidthUnlessItIsNamed) {
  EXPECT_NEAR(peak_learning_rate(preset("cpu").learner, 64), 0.005, 1e-9);
  const RunConfig gpu = preset("gpu-overnight");
  EXPECT_NEAR(peak_learning_rate(gpu.learner, gpu.network.channels), 0.005 * 2 / 3, 1e-9);
  EXPECT_THAT(to_toml(gpu, true), HasSubstr("64 / network.channels (here 0.00333)"));
  EXPECT_NEAR(peak_learning_rate(preset("quick").learner, 32), 0.008, 1e-9);
  EXPECT_THROW(parse_config("[run]\nstudent = 'nnue'\n", "my.toml"), base::InputError);
}

TEST(RunConfig, KeysThatCountedStepsAreRefusedWithTheirPositions) {
  const auto refused = [](const std::string& toml, const std::vector<std::string>& changes,
                          const std::string& message) {
    EXPECT_THAT([&] { parse_config(toml, "my.toml", changes); },
                ThrowsMessage<base::InputError>(message));
  };
  refused("[learner]\nwarmup_steps = 50\nbatch = 1024\n", {},
          "my.toml:2: learner.warmup_steps is now learner.warmup_positions: expected 51200 (at "
          "learner.batch = 1024) in place of 50");
  refused("", {"learner.ema_decay=0.995"},
          "--set learner.ema_decay=0.995: learner.ema_decay is now learner.average_positions: "
          "expected 51072 (at learner.batch = 256) in place of 0.995");
  refused("[learner]\nema_decay = 0\n", {},
          "my.toml:2: learner.ema_decay is now learner.average_positions: expected 0 (at "
          "learner.batch = 256) in place of 0");
  refused("[learner]\nema_decay = 'x'\n", {},
          "my.toml:2: learner.ema_decay is now learner.average_positions");
}

// A run's folder with these settings.
class RunSettingsFile : public testing::Test {
 protected:
  RunConfig loaded(const std::string& text) const {
    folder_.write(kConfigFile, text);
    return load_run_config(folder_.path());
  }

  const TemporaryFolder folder_;
  const std::string whole_ = run_settings(config_of("stalemate_win", "default"));
};

TEST_F(RunSettingsFile, WhereItIsCutOffAtALinesEndTheFirstMissingKeyIsNamed) {
  EXPECT_EQ(loaded(whole_).rules.rule_set, "stalemate_win");
  const auto at = whole_.find("\nwindow_min = ");
  ASSERT_NE(at, std::string::npos);
  EXPECT_THAT(
      [&] { loaded(whole_.substr(0, at + 1)); },
      ThrowsMessage<base::InputError>(AllOf(StartsWith(folder_ / "config.toml: "),
                                            EndsWith("cut off? learner.window_min is missing"))));
  const auto last = whole_.rfind('\n', whole_.size() - 2);
  for (const std::size_t end : {std::size_t{0}, std::size_t{9}, whole_.find('\n') + 1, last + 1}) {
    EXPECT_THAT([&] { loaded(whole_.substr(0, end)); },
                ThrowsMessage<base::InputError>(HasSubstr("cut off?")))
        << end;
  }
}

TEST_F(RunSettingsFile, AnOlderProgramsLacksWhatIsNew) {
  const auto key = whole_.find("\nwindow_min = "), count = whole_.find(": ") + 2;
  const std::string keys = std::string(whole_).erase(key, whole_.find('\n', key + 1) - key);
  const int number = std::stoi(whole_.substr(count));
  const std::string body = keys.substr(keys.find('\n'));
  EXPECT_EQ(loaded(keys.substr(0, count) + std::to_string(number - 1) + body).learner.window_min,
            LearnerConfig{}.window_min);
  EXPECT_EQ(loaded(body).rules.rule_set, "stalemate_win") << "before they were counted";
}

TEST(RunConfig, AnErrorOfSeveralKeysNamesTheLineOrTheOptionOfTheCommandLine) {
  const auto refused = [](const std::string& toml, const std::vector<std::string>& changes,
                          const std::string& message) {
    EXPECT_THAT([&] { parse_config(toml, "my.toml", changes); },
                ThrowsMessage<base::InputError>(StartsWith(message)));
  };
  refused("[rules]\nrule_set = 'ches'\n", {}, "my.toml:2: rules.rule_set: ");
  refused("[rules]\nrule_set = 'chess,chess_sharp'\n", {}, "my.toml:2: rules.rule_set = '");
  refused("[rules]\n\nscoring_table = 'x=1'\n", {}, "my.toml:3: rules.scoring_table: ");
  refused("[learner]\nhold_out = 1\n", {}, "my.toml:2: learner.hold_out = 1 would");
  refused("", {"rules.scoring_table=default", "rules.scoring_table=x=1"},
          "--set rules.scoring_table=x=1: rules.scoring_table: ");
  refused("[selfplay]\nsimulations = 2\n", {}, "my.toml: selfplay.fast_simulations exceeds");
}

}  // namespace
}  // namespace training
