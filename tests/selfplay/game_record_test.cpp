#include "selfplay/game_record.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "base/block.h"
#include "base/errors.h"
#include "base/rng.h"
#include "tests/selfplay/random_games.h"

namespace selfplay {
namespace {

void expect_equal(const GameRecord& a, const GameRecord& b, double tolerance) {
  EXPECT_EQ(a.generation, b.generation);
  EXPECT_EQ(a.rules, b.rules);
  EXPECT_EQ(a.start_fen, b.start_fen);
  EXPECT_EQ(a.table, b.table);
  EXPECT_EQ(a.outcome, b.outcome);
  EXPECT_EQ(a.ended, b.ended);
  EXPECT_EQ(a.seed, b.seed);
  ASSERT_EQ(a.plies.size(), b.plies.size());
  for (std::size_t i = 0; i < a.plies.size(); ++i) {
    const PlyRecord& x = a.plies[i];
    const PlyRecord& y = b.plies[i];
    EXPECT_EQ(x.played, y.played);
    EXPECT_EQ(x.is_target, y.is_target);
    EXPECT_NEAR(x.root_value_stm, y.root_value_stm, tolerance);
    for (std::size_t k = 0; k < x.root_outcomes_white.size(); ++k) {
      EXPECT_NEAR(x.root_outcomes_white[k], y.root_outcomes_white[k], tolerance);
    }
    ASSERT_EQ(x.policy.size(), y.policy.size());
    for (std::size_t k = 0; k < x.policy.size(); ++k) {
      EXPECT_EQ(x.policy[k].move, y.policy[k].move);
      EXPECT_NEAR(x.policy[k].weight, y.policy[k].weight, tolerance);
    }
  }
}

TEST(GameRecord, SurvivesTheRoundTrip) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const GameRecord record = random_game(seed);
    const GameRecord once = decode(encode(record));
    expect_equal(record, once, 2.0 / 32767);
    expect_equal(once, decode(encode(once)), 0);
  }
}

TEST(GameRecord, KeepsAScoringTableToTheBit) {
  GameRecord record = random_game(1);
  record.table.points_white[3] = 4.9000000001;
  record.table.material[2] = 1.0 / 3;
  EXPECT_EQ(decode(encode(record)).table, record.table);
}

TEST(GameRecord, KeepsTheRuleSet) {
  GameRecord record = random_game(2);
  record.rules = rules::RuleSet::parse("chess_sharp+sprint+before=3");
  EXPECT_EQ(decode(encode(record)).rules, record.rules);
}

TEST(GameRecord, WeightsStillSumToOneAndNoneVanishes) {
  GameRecord record = random_game(3);
  auto& policy = record.plies[0].policy;
  policy = {{rules::Move::from_raw(1), 1e-9f}, {rules::Move::from_raw(2), 1 - 1e-9f}};
  const auto weights = decode(encode(record)).plies[0].policy;
  EXPECT_GT(weights[0].weight, 0);
  EXPECT_FLOAT_EQ(weights[0].weight + weights[1].weight, 1);
}

TEST(GameRecord, EveryChangedByteIsNoticed) {
  const std::vector<std::byte> block = encode(random_game(4));
  for (std::size_t i = 0; i < block.size(); ++i) {
    std::vector<std::byte> changed = block;
    changed[i] ^= std::byte{static_cast<unsigned char>(1u << (i % 8))};
    EXPECT_THROW(decode(changed), base::InputError) << "byte " << i;
  }
}

TEST(GameRecord, EveryTruncationIsNoticed) {
  const std::vector<std::byte> block = encode(random_game(5));
  for (std::size_t size = 0; size < block.size(); ++size) {
    EXPECT_THROW(decode(std::span(block).first(size)), base::InputError) << "size " << size;
  }
}

void expect_in_range(const GameRecord& record) {
  EXPECT_LT(index(record.outcome), rules::kOutcomes);
  EXPECT_LE(static_cast<int>(record.ended), 2);
  for (const PlyRecord& ply : record.plies) {
    EXPECT_LE(std::abs(ply.root_value_stm), 1);
    float sum = 0;
    for (const auto& entry : ply.policy) sum += entry.weight;
    EXPECT_NEAR(sum, ply.policy.empty() ? 0 : 1, 1e-3);
  }
}

// Behind a good checksum, too: whatever the payload is.
TEST(GameRecord, AnyPayloadIsReadOrRefused) {
  const std::vector<std::byte> payload = base::unpack(encode(random_game(7)));
  base::Rng rng(8);
  int refused = 0;
  constexpr int kRuns = 3000;
  for (int run = 0; run < kRuns; ++run) {
    std::vector<std::byte> changed = payload;
    // Half of the changes fall on the fields in front.
    for (std::uint32_t i = 0; i <= rng.below(4); ++i) {
      const auto range = static_cast<std::uint32_t>(rng.below(2) == 0 ? 150 : changed.size());
      changed[rng.below(range)] = static_cast<std::byte>(rng.below(256));
    }
    if (rng.below(4) == 0) changed.resize(rng.below(static_cast<std::uint32_t>(changed.size())));
    try {
      expect_in_range(decode(base::pack(changed)));
    } catch (const base::InputError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, kRuns / 4);
  EXPECT_LT(refused, kRuns);
}

TEST(Block, RefusesWhatIsTooLong) {
  const std::vector<std::byte> most(std::size_t{300} << 20);
  const std::vector<std::byte> block = base::pack(most);
  EXPECT_EQ(base::unpack(block), most);
  EXPECT_EQ(base::unpack(block, most.size()), most);
  EXPECT_THROW(base::unpack(block, most.size() - 1), base::InputError);
  EXPECT_THROW(base::pack(std::span(most.data(), base::kMaxPayload + 1)),
               base::InputError);  // which are not read
}

TEST(GameRecord, ReplayGivesEveryPositionAndRefusesIllegalMoves) {
  GameRecord record = random_game(6);
  const auto positions = replay(record);
  ASSERT_EQ(positions.size(), record.plies.size() + 1);
  EXPECT_EQ(positions.back().outcome(record.table), record.outcome);
  record.plies[3].played = rules::Move::from_raw(0xffff);
  try {
    replay(record);
    FAIL() << "an illegal move was played";
  } catch (const base::InputError& error) {
    EXPECT_STREQ(error.what(), "the move at ply 4 is not legal");
  }
}

}  // namespace
}  // namespace selfplay
