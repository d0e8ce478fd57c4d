#include "training/page/metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "base/errors.h"
#include "tests/temporary_folder.h"
#include "training/page/event_file.h"

namespace training {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

std::string contents(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

class MetricsTest : public ::testing::Test {
 protected:
  const TemporaryFolder temporary;
  const fs::path run = temporary.path();
};

TEST_F(MetricsTest, RecordsComeBackInOrder) {
  {
    Metrics metrics(run, 1);
    metrics.write({{"generation", 1}, {"loss", 2.5}});
    metrics.write({{"generation", 2}, {"loss", 1.25}, {"elo", {{"mean", 10}, {"low", -5}}}});
  }
  const auto records = read_metrics(run);
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[1].dump(), R"({"generation":2,"loss":1.25,"elo":{"mean":10,"low":-5}})");
}

TEST_F(MetricsTest, AResumedRunTakesBackWhatItsCheckpointDoesNotKnow) {
  Metrics(run, 1).write({{"generation", 1}});
  Metrics(run, 2).write({{"generation", 2}, {"loss", 9}});
  Metrics(run, 2).write({{"generation", 2}, {"loss", 3}});
  EXPECT_EQ(contents(run / "metrics.jsonl"), "{\"generation\":1}\n{\"generation\":2,\"loss\":3}\n");
}

TEST_F(MetricsTest, WhatIsMeasuredLaterStandsWithItsGeneration) {
  {
    Metrics metrics(run, 1);
    metrics.write({{"generation", 1}, {"loss", 2}});
    metrics.write({{"generation", 2}});
    metrics.add(1, {{"score_vs_greedy", {{"mean", 7}}}});
    metrics.write({{"generation", 3}});
  }
  EXPECT_EQ(contents(run / "metrics.jsonl"),
            "{\"generation\":1,\"loss\":2,\"score_vs_greedy\":{\"mean\":7}}\n"
            "{\"generation\":2}\n{\"generation\":3}\n");
  EXPECT_THAT(contents(fs::directory_iterator(run / "metrics")->path()),
              HasSubstr("match/score_vs_greedy/mean"));
}

TEST_F(MetricsTest, ALineCutShortByACrashIsDropped) {
  Metrics(run, 1).write({{"generation", 1}});
  std::ofstream(run / "metrics.jsonl", std::ios::app) << "{\"generation\":2,\"lo";
  EXPECT_EQ(read_metrics(run).size(), 1U);
  Metrics(run, 2).write({{"generation", 2}});
  EXPECT_EQ(contents(run / "metrics.jsonl"), "{\"generation\":1}\n{\"generation\":2}\n");
}

TEST_F(MetricsTest, DamageIsNamed) {
  std::ofstream(run / "metrics.jsonl") << "{\"generation\":1}\nnonsense\n{\"generation\":3}\n";
  EXPECT_THAT([&] { read_metrics(run); },
              ThrowsMessage<base::InputError>(HasSubstr("metrics.jsonl:2: expected")));
}

TEST_F(MetricsTest, AMeasureOfTheWrongTypeIsNamed) {
  const auto refused = [&](const std::string& members, const std::string& what) {
    std::ofstream(run / "metrics.jsonl")
        << "{\"generation\":1,\"loss\":null,\"outcomes\":null}\n{\"generation\":2," << members
        << "}\n";
    EXPECT_THAT([&] { read_metrics(run); },
                ThrowsMessage<base::InputError>(HasSubstr("metrics.jsonl:2: expected " + what)))
        << members;
  };
  refused(R"("games":"many")", "a number \"games\"");
  refused(R"("games":null)", "a number \"games\"");
  refused(R"("loss":[1])", "a number \"loss\"");
  for (const char* outcomes : {"3", "[0.5,0.5]", "[0,0,0,0,0,0,\"1\"]", "{}"}) {
    refused(std::string("\"outcomes\":") + outcomes, "seven numbers \"outcomes\"");
  }
}

TEST_F(MetricsTest, EveryEventRecordIsWholeAndItsTagsAreGrouped) {
  Metrics(run, 1).write({{"generation", 1},
                         {"loss", 2},
                         {"policy_loss", 1},
                         {"held_out_policy_gap", 0.5},
                         {"learning_rate", 0.1},
                         {"outcomes", {0.25, 0.75}},
                         {"points_white", 5},
                         {"games", 3},
                         {"games_per_h", 9},
                         {"evals_per_s", 8},
                         {"score_vs_random", {{"mean", 7}}},
                         {"elo", {{"low", 30}}}});
  const auto file = fs::directory_iterator(run / "metrics")->path();
  const std::string bytes = contents(file);
  int records = 0;
  for (std::size_t at = 0; at < bytes.size(); ++records) {
    std::uint64_t length = 0;
    ASSERT_LE(at + 16, bytes.size());
    std::memcpy(&length, bytes.data() + at, sizeof length);
    ASSERT_LE(at + 16 + length, bytes.size());
    const std::string data = bytes.substr(at + 12, length);
    EXPECT_EQ(tfrecord(data), bytes.substr(at, 16 + length));
    at += 16 + length;
  }
  EXPECT_EQ(records, 3);  // version, restart, the generation
  for (const char* tag :
       {"loss/loss", "loss/policy_loss", "loss/held_out_policy_gap", "loss/learning_rate",
        "selfplay/outcomes/1", "selfplay/points_white", "selfplay/games", "speed/games_per_h",
        "speed/evals_per_s", "match/score_vs_random/mean", "match/elo/low"}) {
    // A tag is written behind its length.
    EXPECT_THAT(bytes, HasSubstr(static_cast<char>(std::strlen(tag)) + std::string(tag)));
  }
}

TEST_F(MetricsTest, AFolderThatCannotBeWrittenIsNamed) {
  std::ofstream(run / "file") << "x";
  EXPECT_THAT([&] { Metrics(run / "file", 1); },
              ThrowsMessage<base::EnvironmentError>(HasSubstr("cannot make")));
}

}  // namespace
}  // namespace training
