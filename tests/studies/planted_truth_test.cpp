// The whole way from played games to the answer, with players whose truth is known.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "arena/player.h"
#include "rules/notation.h"
#include "studies/advantage.h"
#include "studies/scoring.h"
#include "tests/temporary_folder.h"

namespace studies {
namespace {

using nlohmann::ordered_json;
using rules::Move;
using rules::Outcome;
using rules::Position;

// White draws its move with planted weights, and Black takes the king if it can or moves quietly:
// White's rook takes a king, its king runs into the bishop, or the clock runs out.
const Position kStart = Position::from_fen("8/8/8/8/8/2b5/4K3/k6R[] w - - 98 90");
double weight_of(Move move) { return 1.0 + move.raw() % 5; }

Move black_reply(const Position& position) {
  const rules::Bitboard men = position.pieces(rules::Color::kWhite);
  const rules::Bitboard king = position.pieces(rules::Color::kWhite, rules::PieceType::kKing);
  const auto moves = position.legal_moves();
  const auto to = [](Move move) { return rules::Bitboard{1} << index(move.to()); };
  for (const Move move : moves) {
    if ((to(move) & king) != 0) return move;
  }
  return *std::ranges::find_if(moves, [&](Move move) { return (to(move) & men) == 0; });
}

class PlantedPlayer final : public arena::OneGamePlayer {
 public:
  std::string name() const override { return "planted"; }

 private:
  arena::Choice choose_move(const arena::GameView& game, base::Rng&) override {
    return {black_reply(*game.position)};
  }
};

class PlantedThinker final : public Thinker {
 public:
  mcts::Evaluator& evaluator() override { return evaluator_; }
  bool asks_of_quiet_alone() const override { return false; }
  std::vector<tactics::SearchReport> search(const std::vector<Position>& positions,
                                            const rules::ScoringTable&, int) override {
    std::vector<tactics::SearchReport> all;
    for (const Position& position : positions) {
      tactics::SearchReport& searched = all.emplace_back();
      for (const Move move : position.legal_moves()) {
        searched.moves.push_back({.move = move, .weight = weight_of(move)});
      }
    }
    return all;
  }
  std::vector<double> points_white(const std::vector<Position>& positions,
                                   const rules::ScoringTable&, int) override {
    return std::vector<double>(positions.size(), 5.0);
  }
  std::unique_ptr<arena::Player> player(const PlayerBudget&) override {
    return std::make_unique<PlantedPlayer>();
  }
  int deep_budget() const override { return 1; }

 private:
  mcts::HashEvaluator evaluator_;
};

class Planted final : public Subject {
 public:
  std::string name() const override { return "planted"; }
  rules::RuleSet rules() const override { return {}; }
  rules::ScoringTable table(const std::string& text) const override {
    return rules::ScoringTable::from_changes(text);
  }
  std::vector<std::filesystem::path> checkpoints(int) const override { return {{}}; }
  void take(const std::filesystem::path&) override {}
  std::unique_ptr<Thinker> thinker() const override { return std::make_unique<PlantedThinker>(); }
  SelfGamesConfig config(int simulations, const rules::ScoringTable& table) const override {
    SelfGamesConfig config;
    config.games = 200;
    config.seeds = 1;
    if (simulations > 0) config.simulations = simulations;
    config.opening_plies = 1;
    config.start = kStart;
    config.table = table;
    return config;
  }
  std::vector<selfplay::GameRecord> games(const SelfGamesConfig& config) override {
    selfplay::GameStore store(folder_ / "games.db", selfplay::StoreMode::kWrite);
    return self_games(
        config, [] { return std::make_unique<PlantedThinker>(); }, store, {}, false);
  }
  std::vector<selfplay::GameRecord> unseen(const std::filesystem::path&) const override {
    return {};
  }
  bool stopped() const override { return false; }

 private:
  TemporaryFolder folder_;
};

// What White's move comes to, by the rules alone.
Outcome truth_of(Move move) {
  const rules::ScoringTable table;
  const Position after = kStart.after(move);
  if (const auto over = after.outcome(table)) return *over;
  return *after.after(black_reply(after)).outcome(table);
}

double planted_points(const rules::ScoringTable& table) {
  double points = 0, weights = 0;
  for (const Move move : kStart.legal_moves()) {
    points += weight_of(move) * table.white_points(truth_of(move));
    weights += weight_of(move);
  }
  return points / weights;
}

TEST(PlantedTruth, TheAdvantageStudyRecoversIt) {
  Planted subject;
  const ordered_json set = AdvantageStudy().run(subject).json["sets"][0];
  // First moves come in their due shares, within a game for each seed.
  EXPECT_NEAR(set["points_white"]["mean"], planted_points({}), 0.1);
  EXPECT_GT(planted_points({}), 5.5);  // so that a flipped viewpoint shows
  EXPECT_EQ(set["start"]["starts"], 1);
  // No first move is left out: the shares make one, and the mean is that of the moves' points.
  double shares = 0, points = 0;
  for (const auto& move : set["first_moves"]) {
    if (move["games"] == 0) continue;
    const Move played = rules::parse_uci(kStart, move["move"].get<std::string>());
    shares += move["share"].get<double>();
    points += move["share"].get<double>() * move["points_white"]["mean"].get<double>();
    EXPECT_EQ(move["points_white"]["mean"], rules::ScoringTable().white_points(truth_of(played)));
  }
  EXPECT_NEAR(shares, 1, 1e-9);
  EXPECT_NEAR(points, set["points_white"]["mean"], 1e-9);
}

TEST(PlantedTruth, TheScoringStudyRecoversItUnderEveryTable) {
  Planted subject;
  ScoringStudy study;
  study.tables = {"impasse_white_more=9", "black_wins=1,stalemate=2"};
  study.fair = {"impasse_white_more", "stalemate"};
  study.play = true;
  const ordered_json json = study.run(subject).json;
  for (const std::size_t i : {0u, 1u, 2u}) {
    const auto& row = json["tables"][i];
    const auto table = rules::ScoringTable::from_changes(row["table"].get<std::string>());
    EXPECT_NEAR(row["repriced"]["mean"], planted_points(table), 0.1) << row["table"];
    EXPECT_NEAR(row["difference"]["mean"], planted_points(table) - planted_points({}), 0.05);
    if (i == 0) continue;
    // Play does not change with prices here: twins are the same games.
    EXPECT_EQ(row["played"]["mean"], row["repriced"]["mean"]);
    EXPECT_NEAR(row["played_difference"]["mean"], row["difference"]["mean"], 1e-9);
  }
  const auto& fair = json["fair"][0];
  const auto with = rules::ScoringTable::from_changes(
      fmt::format("impasse_white_more={}", fair["played"]["mean"].get<double>()));
  EXPECT_NEAR(planted_points(with), 5, 0.1);
  EXPECT_TRUE(fair["confirmed"]);
  EXPECT_TRUE(json["fair"][1]["repriced"].is_null());  // no game ends in a stalemate
}

}  // namespace
}  // namespace studies
