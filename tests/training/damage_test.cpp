// Damage to a run's files, and losses that explode. SHARPZERO_LONG_TESTS=1 does more of it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <limits>
#include <span>
#include <sstream>

#include "base/errors.h"
#include "base/files.h"
#include "base/rng.h"
#include "nn/checkpoint.h"
#include "nn/precision.h"
#include "training/run/run_loop.h"
#include "training/run/run_state.h"

namespace training {
namespace {

namespace fs = std::filesystem;
using testing::AnyOf;
using testing::HasSubstr;
using testing::ThrowsMessage;
using testing::UnorderedElementsAre;

constexpr std::int64_t kGenerations = 3;

// What is logged while it lives.
class Log {
 public:
  Log() : before_(spdlog::default_logger()) {
    spdlog::set_default_logger(std::make_shared<spdlog::logger>(
        "test", std::make_shared<spdlog::sinks::ostream_sink_mt>(text_)));
  }
  ~Log() { spdlog::set_default_logger(before_); }
  std::string text() const { return text_.str(); }

 private:
  std::ostringstream text_;
  std::shared_ptr<spdlog::logger> before_;
};

class Damage : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    fs::remove_all(root());
    go_on("whole", kGenerations);
  }
  static void TearDownTestSuite() { fs::remove_all(root()); }
  static fs::path root() {
    return fs::path(testing::TempDir()) / ("sharpzero_damage_" + std::to_string(::getpid()));
  }

  static RunConfig config(std::int64_t generations) {
    return load_config(fs::path(SHARPZERO_CONFIGS) / "tiny.toml",
                       {"run.generations=" + std::to_string(generations), "evaluation.every=0",
                        "evaluation.final_games=0"});
  }
  static RunEnd go_on(const std::string& name, std::int64_t generations) {
    RunOptions options;
    options.folder = root() / name;
    options.threads = 2;
    return RunLoop(config(generations), options).run();
  }

  // A copy of the whole run to spoil.
  static fs::path copy() {
    fs::remove_all(root() / "copy");
    fs::copy(root() / "whole", root() / "copy", fs::copy_options::recursive);
    return root() / "copy";
  }
};

std::string damaged(std::string bytes, base::Rng& rng) {
  const auto at = [&] { return rng.below(static_cast<std::uint32_t>(bytes.size())); };
  switch (rng.below(8)) {
    case 0:
      bytes.resize(at());
      break;
    case 1:
      bytes.clear();
      break;
    case 2:
      for (std::uint32_t i = at(), end = std::min<std::uint32_t>(
                                       i + 64, static_cast<std::uint32_t>(bytes.size()));
           i < end; ++i) {
        bytes[i] = static_cast<char>(rng.below(256));
      }
      break;
    default:
      bytes[at()] ^= static_cast<char>(1 << rng.below(8));
  }
  return bytes;
}

// What came of going on with a damaged run.
struct GoingOn {
  bool refused = false;
  std::string said;  // the refusal, or the log
};

TEST_F(Damage, IsSeenAndIsNeverACrash) {
  const std::vector<std::string> files{"checkpoints/000003/network.safetensors",
                                       "checkpoints/000003/trainer.safetensors",
                                       "checkpoints/000003/state.bin",
                                       "games.db",
                                       "config.toml",
                                       "run.json",
                                       "metrics.jsonl"};
  base::Rng rng(7);
  for (int i = 0; i < (std::getenv("SHARPZERO_LONG_TESTS") != nullptr ? 3000 : 42); ++i) {
    const std::string& file = files[static_cast<std::size_t>(i) % files.size()];
    const fs::path folder = copy();
    const std::string whole = base::read_text(folder / file);
    const std::string bytes = damaged(whole, rng);
    if (bytes == whole) continue;
    std::ofstream(folder / file, std::ios::binary) << bytes;
    GoingOn outcome;
    {
      const Log log;
      try {
        RunOptions options;
        options.folder = folder;
        options.threads = 2;
        RunLoop(load_config(folder / "config.toml", {"run.generations=4"}), options).run();
      } catch (const base::InputError& error) {
        outcome = {true, error.what()};
      }
      if (!outcome.refused) outcome.said = log.text();
    }
    SCOPED_TRACE(file + ", damage " + std::to_string(i) + ": " + outcome.said);
    if (file.starts_with("checkpoints")) {
      EXPECT_FALSE(outcome.refused);
      EXPECT_THAT(outcome.said, HasSubstr("passed over"));
      EXPECT_THAT(outcome.said,
                  HasSubstr("going on from " + (folder / "checkpoints/000002").string()));
    } else if (outcome.refused) {
      EXPECT_THAT(outcome.said, AnyOf(HasSubstr((folder / file).string()), HasSubstr("the run has"),
                                      HasSubstr("the run plays")));
    } else {
      EXPECT_THAT(outcome.said, HasSubstr("going on from"));
    }
  }
}

TEST_F(Damage, AFlippedSettingIsTold) {
  const fs::path folder = copy();
  std::string text = base::read_text(folder / "config.toml");
  const auto at = text.find("\nreuse = ");
  ASSERT_NE(at, std::string::npos);
  text[at + 9] ^= 3;  // another digit
  std::ofstream(folder / "config.toml", std::ios::binary) << text;
  const Log log;
  RunOptions options;
  options.folder = folder;
  RunLoop(load_config(folder / "config.toml"), options);
  EXPECT_THAT(log.text(), HasSubstr("changed since: learner.reuse = "));
}

TEST_F(Damage, WhatIsForANewRunIsToldToDoNothingForAnother) {
  const Log log;
  RunOptions options;
  options.folder = copy();
  options.init = root() / "nothing";
  RunLoop(config(kGenerations), options);
  EXPECT_THAT(log.text(), HasSubstr("--init and --games are for a new run and do nothing"));
}

TEST_F(Damage, AFileOfAnotherGenerationIsPassedOver) {
  for (const std::string name : {"network.safetensors", "trainer.safetensors"}) {
    const fs::path folder = copy();
    const fs::path file = folder / "checkpoints/000003" / name;
    fs::copy_file(folder / "checkpoints/000002" / name, file, fs::copy_options::overwrite_existing);
    const Log log;
    EXPECT_EQ(go_on("copy", kGenerations), RunEnd::kFinished);
    EXPECT_THAT(log.text(),
                HasSubstr(file.string() + ": of generation 2, expected 3: passed over"));
  }
}

// A pipe would be waited for.
TEST_F(Damage, WhatIsNoPlainFileIsRefused) {
  for (const std::string name : {"config.toml", "metrics.jsonl"}) {
    const fs::path folder = copy();
    fs::remove(folder / name);
    ASSERT_EQ(::mkfifo((folder / name).c_str(), 0600), 0);
    EXPECT_THAT(
        [&] { go_on("copy", kGenerations); },
        ThrowsMessage<base::InputError>((folder / name).string() + ": expected a plain file"));
  }
}

// Rewrites the newest checkpoint.
void change(const fs::path& run, const std::function<void(RunState&)>& f) {
  RunState state = load_state(nn::list_checkpoints(run).back());
  f(state);
  save_state(state, run);
}

nn::Weights& weights_of(RunState& state) {
  return std::get<nn::NetworkFile>(state.network).weights;
}

TEST_F(Damage, ACheckpointWhoseArraysDoNotFitIsPassedOver) {
  const std::vector<std::function<void(RunState&)>> spoilers{
      [](RunState& state) {
        auto policy = weights_of(state).extract("policy_out.weight");
        policy.key() = "policy_in.weight";
        weights_of(state).insert(std::move(policy));
      },
      [](RunState& state) { weights_of(state).erase("value_out.bias"); },
      [](RunState& state) { state.trainer.erase("steps"); },
  };
  for (const auto& spoil : spoilers) {
    const fs::path folder = copy();
    change(folder, spoil);
    const Log log;
    EXPECT_EQ(go_on("copy", kGenerations), RunEnd::kFinished);
    EXPECT_THAT(log.text(), HasSubstr((folder / "checkpoints/000003").string() + ": "));
    EXPECT_THAT(log.text(), HasSubstr("passed over"));
    EXPECT_THAT(log.text(), HasSubstr("going on from " + (folder / "checkpoints/000002").string()));
  }
}

// As where a kill comes while old checkpoints are removed.
TEST_F(Damage, ACheckpointThatIsRemovedInPartIsNone) {
  const fs::path folder = copy();
  const fs::path checkpoints = folder / "checkpoints";
  const fs::path left = checkpoints / "000009.discarded";
  fs::create_directory(left);
  fs::create_directory(checkpoints / "best.discarded");
  fs::copy(checkpoints / "000001" / "state.bin", left);
  for (int i = 4; i <= 13; ++i) fs::create_directory(checkpoint_folder(folder, i));
  prune_checkpoints(folder, 2);
  std::vector<std::string> kept;
  for (const auto& entry : fs::directory_iterator(checkpoints))
    kept.push_back(entry.path().filename().string());
  EXPECT_THAT(kept, UnorderedElementsAre("000000", "000010", "000012", "000013", "best.discarded"))
      << "what is no checkpoint is its owner's";
}

// --- losses that explode ---

// Momentum that throws half of the policy's outputs away from the others, the further the larger it
// is and the higher the learning rate.
void push_apart(RunState& state, float momentum) {
  auto& first = state.trainer.at("first.policy_out.bias").values;
  auto& second = state.trainer.at("second.policy_out.bias").values;
  for (std::size_t i = 0; i < first.size(); ++i) {
    first[i] = i % 2 == 0 ? momentum : -momentum;
    second[i] = 1e-4f;
  }
}

TEST_F(Damage, AnExplosionGoesBackToTheLastGoodStateAtHalfTheRate) {
  // Twice the least that explodes at most, so that a half or a quarter of the rate is fine.
  for (float momentum = 5e3f; momentum < 1e6f; momentum *= 2) {
    const fs::path folder = copy();
    change(folder, [&](RunState& state) { push_apart(state, momentum); });
    const Log log;
    ASSERT_EQ(go_on("copy", kGenerations + 1), RunEnd::kFinished) << log.text();
    if (log.text().find("the loss exploded") == std::string::npos) continue;
    const RunState after = load_state(nn::list_checkpoints(folder).back());
    EXPECT_EQ(after.counters.generation, kGenerations + 1);
    EXPECT_LT(after.counters.learning_rate_scale, 1);
    return;
  }
  FAIL() << "nothing exploded";
}

TEST_F(Damage, AfterTheThirdExplosionInARowItStopsAndKeepsWhatItHad) {
  const fs::path folder = copy();
  change(folder, [](RunState& state) {
    state.trainer.at("live.value_out.bias").values[0] = std::numeric_limits<float>::quiet_NaN();
  });
  const Log log;
  EXPECT_EQ(go_on("copy", kGenerations + 1), RunEnd::kDiverged);
  EXPECT_THAT(log.text(), HasSubstr("3 times in a row: giving up"));
  EXPECT_EQ(nn::list_checkpoints(folder).back().filename(), "000003");
}

TEST_F(Damage, AnExplosionThatCannotGoBackNamesTheFile) {
  const fs::path folder = copy();
  change(folder, [](RunState& state) {
    state.trainer.at("live.value_out.bias").values[0] = std::numeric_limits<float>::quiet_NaN();
  });
  RunOptions options;
  options.folder = folder;
  options.threads = 2;
  const Log log;
  RunLoop loop(config(kGenerations + 1), options);
  const fs::path file = folder / "checkpoints/000003/trainer.safetensors";
  fs::resize_file(file, 100);
  try {
    loop.run();
    FAIL() << "it went back to a damaged checkpoint";
  } catch (const nn::CheckpointError& error) {
    EXPECT_THAT(error.what(), HasSubstr(file.string()));
  }
}

// --- another machine ---

// Another precision would play other games and learn other weights.
TEST_F(Damage, OnAnotherProcessorARunKeepsItsPrecisions) {
  const fs::path folder = copy();
  const auto known = nn::precisions_on("cpu");
  // The last of them: this machine would not choose it for so small a network.
  const std::string precision = nn::name(known.back());
  const bool mixed = std::ranges::find(known, nn::Precision::kBFloat16) != known.end();
  change(folder, [&](RunState& state) {
    state.counters.processor = "cpu, one that is gone";
    state.counters.precision = precision;
    state.counters.mixed_precision = mixed;
  });
  const auto counters = [&](std::int64_t generation) {
    return load_state(checkpoint_folder(folder, generation)).counters;
  };
  const Log log;
  EXPECT_EQ(go_on("copy", kGenerations + 1), RunEnd::kFinished);
  EXPECT_THAT(log.text(), HasSubstr("began on cpu, one that is gone: it keeps the precisions"));
  EXPECT_EQ(counters(kGenerations + 1).precision, precision);
  EXPECT_EQ(counters(kGenerations + 1).mixed_precision, mixed);
}

TEST_F(Damage, APrecisionThatTheDeviceLacksIsChosenAnewOrRefused) {
  const fs::path folder = copy();
  change(folder, [](RunState& state) { state.counters.precision = "fp16"; });
  const Log log;
  EXPECT_EQ(go_on("copy", kGenerations + 1), RunEnd::kFinished);
  EXPECT_THAT(log.text(), HasSubstr("fp16 is not to be had here"));
  RunConfig config = load_run_config(folder, {"selfplay.precision=fp16"});
  RunOptions options;
  options.folder = folder;
  EXPECT_THAT([&] { RunLoop(config, options); },
              testing::ThrowsMessage<base::InputError>(
                  HasSubstr("selfplay.precision fp16: expected on cpu one of auto fp32")));
}

}  // namespace
}  // namespace training
