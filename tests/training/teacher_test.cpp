// A residual network labels games, and runs learn an NNUE from them.

#include "training/student/teacher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "nn/inference.h"
#include "selfplay/game_store.h"
#include "tactics/lookahead.h"
#include "tests/training/random_game.h"
#include "tests/training/runs.h"

namespace training {
namespace {

using rules::Color;
using rules::Outcome;
using rules::Position;
using selfplay::GameRecord;
using selfplay::PlyRecord;
using testing::HasSubstr;
using testing::ThrowsMessage;

const fs::path kTeacher = SHARPZERO_NETWORKS "/chess_sharp-5x64.safetensors";
const std::string kLast = "checkpoints/000004/nnue.safetensors";

RunConfig exact_config() {
  return parse_config("", "",
                      {"run.student=nnue", "learner.learning_rate=0.002", "selfplay.precision=fp32",
                       "nnue.teacher=" + kTeacher.string()});
}

// Labels all, of which each is to be handed on once and in order.
void label_all(std::vector<GameRecord>& games, int threads) {
  const GameRecord* next = games.data();
  Teacher::Terms terms;
  terms.labelled = [&](std::span<GameRecord> labelled) {
    EXPECT_EQ(labelled.data(), next);
    next += labelled.size();
  };
  EXPECT_EQ(Teacher(exact_config(), "cpu", threads).label(games, terms), games.size());
  EXPECT_EQ(next, games.data() + games.size());
}

TEST(Teacher, LabelsAreWhatTheNetworkSaysOfEachPositionAlone) {
  std::vector<GameRecord> games;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) games.push_back(random_game(seed));
  games[1].table.points_white[1] =
      3;  // and so the network's input, and what the outcomes are worth
  label_all(games, 2);

  const nn::NetworkFile network = nn::load_network(kTeacher);
  nn::Inference inference(network.config, network.weights, {});
  tactics::Lookahead lookahead;
  const int plies = exact_config().search.lookahead;
  int asked = 0, certain = 0;
  for (const GameRecord& game : games) {
    const std::vector<Position> positions = replay(game);
    for (std::size_t i = 0; i < game.plies.size(); ++i) {
      const Position& position = positions[i];
      const Color side = position.side_to_move();
      const rules::Outcomes& label = game.plies[i].root_outcomes_white;
      rules::MoveList moves;
      position.surviving_moves(moves);
      if (position.can_capture_king() || moves.empty()) {
        const Color winner = position.can_capture_king() ? side : ~side;
        EXPECT_EQ(label, rules::certain(rules::win_of(winner)));
        ++certain;
        continue;
      }
      const std::span<const rules::Move> all(moves.data(), moves.size());
      nn::Batch batch;
      batch.add(nn::Encoder(), position, 1, game.table,
                lookahead.find(position, game.table, all, plies), all);
      nn::Outputs out;
      inference.run(batch, out);
      double points = 0;
      for (std::size_t k = 0; k < rules::kOutcomes; ++k) {
        const std::size_t white = side == Color::kWhite ? k : 6 - k;
        EXPECT_NEAR(label[white], out.outcomes[0][k], 1e-6);
        points += static_cast<double>(out.outcomes[0][k]) * game.table.points_white[white];
      }
      const double value = (points / 5 - 1) * (side == Color::kWhite ? 1 : -1);
      EXPECT_NEAR(game.plies[i].root_value_stm, value, 1e-5);
      ++asked;
    }
  }
  EXPECT_GT(asked, 100);
  EXPECT_GT(certain, 0);
}

// A queen up, whoever is to move.
TEST(Teacher, AWonPositionIsWonForItsSide) {
  std::vector<GameRecord> games;
  for (const char* fen : {"4k3/pp3ppp/8/8/8/8/PP3PPP/3QK3[] w - - 0 30",
                          "4k3/pp3ppp/8/8/8/8/PP3PPP/3QK3[] b - - 0 30",
                          "3qk3/pp3ppp/8/8/8/8/PP3PPP/4K3[] w - - 0 30",
                          "3qk3/pp3ppp/8/8/8/8/PP3PPP/4K3[] b - - 0 30"}) {
    GameRecord& game = games.emplace_back();
    game.start_fen = fen;
    PlyRecord ply;
    ply.played = game.start().legal_moves()[0];
    game.plies = {ply};
  }
  label_all(games, 1);
  for (std::size_t i = 0; i < games.size(); ++i) {
    const PlyRecord& ply = games[i].plies[0];
    const bool white = i < 2, to_move = i % 2 == (white ? 0 : 1);
    const auto winner =
        static_cast<std::size_t>(index(white ? Outcome::kWhiteWins : Outcome::kBlackWins));
    EXPECT_GT(ply.root_outcomes_white[winner], 0.8f) << games[i].start_fen;
    EXPECT_GT(to_move ? ply.root_value_stm : -ply.root_value_stm, 0.7f) << games[i].start_fen;
  }
}

class TaughtRuns : public Runs {
 protected:
  static constexpr std::uint64_t kGames = 100;  // five batches

  void SetUp() override {
    Runs::SetUp();
    config_.run.generations = 4;
    config_.nnue.teacher = kTeacher;
    config_.learner.reuse = 0.2f;
    std::vector<GameRecord> games;
    constexpr std::uint64_t kDifferent = 10;
    for (std::uint64_t seed = 1; seed <= kGames; ++seed) {
      games.push_back(seed <= kDifferent ? random_game(seed) : games[seed - 1 - kDifferent]);
      games.back().seed = seed;
    }
    fs::create_directories(root_);
    selfplay::GameStore(games_file(), selfplay::StoreMode::kWrite).append(games);
  }
  RunConfig tiny(const std::vector<std::string>& changes) const override {
    return load_config(fs::path(SHARPZERO_CONFIGS) / "tiny-nnue.toml", changes);
  }
  fs::path games_file() const { return root_ / "games.db"; }

  // By a device whose answers say nothing but are always the same.
  RunOptions taught(const std::string& name, int threads = 2) const {
    RunOptions asked = options(name, threads);
    asked.teacher_device = "simulated:launch_us=100000,row_ns=0";
    return asked;
  }
  // That learns from the games that are there alone.
  RunOptions given(const std::string& name) {
    config_.run.plies_per_generation = 0;
    RunOptions asked = taught(name, 1);
    asked.games = {games_file()};
    return asked;
  }
  std::vector<GameRecord> games_of(const fs::path& file) const {
    return selfplay::GameStore(file, selfplay::StoreMode::kRead).load(1, 1000);
  }
};

// Each of these positions has an answer, which an NNUE that has learned nothing has not.
void expect_labels(const GameRecord& game) {
  for (const PlyRecord& ply : game.plies) {
    float sum = 0;
    for (const float p : ply.root_outcomes_white) sum += p;
    EXPECT_NEAR(sum, 1, 1e-3);
  }
}

TEST_F(TaughtRuns, LearnFromTheLabelsOfTheGivenGames) {
  RunOptions asked = given("run");
  ASSERT_EQ(RunLoop(config_, asked).run(), RunEnd::kFinished);
  const auto before = games_of(games_file()), labelled = games_of(root_ / "run" / "games.db");
  ASSERT_EQ(labelled.size(), before.size());
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_EQ(labelled[i].outcome, before[i].outcome);
    ASSERT_EQ(labelled[i].plies.size(), before[i].plies.size());
    expect_labels(labelled[i]);
  }
  // The same games without a teacher teach something else.
  config_.nnue.teacher.clear();
  asked.folder = root_ / "alone";
  ASSERT_EQ(RunLoop(config_, asked).run(), RunEnd::kFinished);
  EXPECT_FALSE(bytes("run", kLast) == bytes("alone", kLast));
}

TEST_F(TaughtRuns, LearnFromTheLabelsOfTheirOwnGames) {
  config_.run.generations = 2;
  ASSERT_EQ(RunLoop(config_, taught("run", 1)).run(), RunEnd::kFinished);
  const auto games = games_of(root_ / "run" / "games.db");
  EXPECT_EQ(games.back().generation, 2);
  for (const GameRecord& game : games) expect_labels(game);  // the first were played by material
  ASSERT_EQ(RunLoop(config_, taught("two")).run(), RunEnd::kFinished);
  const std::string last = "checkpoints/000002/nnue.safetensors";
  EXPECT_TRUE(bytes("run", last) == bytes("two", last)) << "on any number of threads";
  // Stopped while it labels, it plays the rest again.
  RunOptions asked = taught("broken");
  asked.progress = [&](const std::string& line) {
    if (line.find("labelled 0 of") != std::string::npos) stop_ = true;
  };
  EXPECT_EQ(RunLoop(config_, asked).run(), RunEnd::kStopped);
  stop_ = false;
  ASSERT_EQ(RunLoop(config_, taught("broken")).run(), RunEnd::kFinished);
  EXPECT_TRUE(bytes("run", last) == bytes("broken", last));
}

TEST_F(TaughtRuns, GoOnAfterAKillWhileTheyLabelAndWhileTheyLearn) {
  ASSERT_EQ(RunLoop(config_, given("whole")).run(), RunEnd::kFinished);

  RunOptions asked = given("broken");
  asked.progress = [&](const std::string& line) {
    EXPECT_THAT(line, HasSubstr("the teacher has labelled"));
    if (line.find(" 0 of") == std::string::npos) stop_ = true;
  };
  EXPECT_EQ(RunLoop(config_, asked).run(), RunEnd::kStopped);
  stop_ = false;
  const auto first = games_of(root_ / "broken" / "games.db");
  EXPECT_GT(first.size(), 0u);
  ASSERT_LT(first.size(), kGames) << "it was not stopped in time";
  EXPECT_FALSE(fs::exists(root_ / "broken" / "checkpoints" / "000000"));

  asked = given("broken");
  { const RunLoop labelled(config_, asked); }
  run_until("broken", "000002");
  config_.nnue.teacher = "a network that is gone";  // nothing is left to label
  ASSERT_EQ(RunLoop(config_, asked).run(), RunEnd::kFinished);
  EXPECT_EQ(games_of(root_ / "broken" / "games.db").size(), kGames);
  EXPECT_TRUE(bytes("whole", kLast) == bytes("broken", kLast));

  config_.nnue.teacher = kTeacher;
  fs::remove_all(root_ / "broken" / "checkpoints");
  selfplay::GameStore(root_ / "other.db", selfplay::StoreMode::kWrite)
      .append(std::vector<GameRecord>{random_game(99)});
  asked.games = {root_ / "other.db"};
  EXPECT_THAT(refusal(config_, asked), HasSubstr("no checkpoint, but"));
}

TEST_F(TaughtRuns, RefuseWhatCannotTeach) {
  EXPECT_THAT([&] { load_config(fs::path(SHARPZERO_CONFIGS) / "tiny.toml", {"nnue.teacher=x"}); },
              ThrowsMessage<base::InputError>(HasSubstr("expected run.student = nnue")));
  const RunOptions asked = given("new");
  RunConfig chess = config_;
  chess.rules.rule_set = "chess";
  EXPECT_THAT(refusal(chess, asked), HasSubstr("a network for chess_sharp, the run plays chess"));
  config_.nnue.teacher = SHARPZERO_NETWORKS "/nnue/chess_sharp.safetensors";
  EXPECT_THAT(refusal(config_, asked), HasSubstr("an NNUE: expected a residual network"));
  EXPECT_FALSE(fs::exists(asked.folder));
}

}  // namespace
}  // namespace training
