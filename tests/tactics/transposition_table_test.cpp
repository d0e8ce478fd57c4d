#include "tactics/transposition_table.h"

#include <gtest/gtest.h>

#include <thread>

#include "base/rng.h"

namespace tactics {
namespace {

using rules::Move;
using rules::Square;

TranspositionTable::Entry entry(int score, int depth) {
  return {Move::board(Square(12), Square(28)), static_cast<std::int16_t>(score), -7,
          static_cast<std::uint8_t>(depth), Bound::kLower};
}

TEST(TranspositionTable, FindsWhatWasStored) {
  TranspositionTable table(1);
  EXPECT_FALSE(table.find(5));
  table.store(5, entry(-31000, 9));
  const auto found = table.find(5);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->move, Move::board(Square(12), Square(28)));
  EXPECT_EQ(found->score, -31000);
  EXPECT_EQ(found->eval, -7);
  EXPECT_EQ(found->depth, 9);
  EXPECT_EQ(found->bound, Bound::kLower);
  EXPECT_FALSE(table.find(6)) << "another position in the same bucket";
  table.clear();
  EXPECT_FALSE(table.find(5));
}

TEST(TranspositionTable, TakesTheMemoryThatThereIs) {
  constexpr int kMuch = 1 << 26;  // MiB
  TranspositionTable table(kMuch), rest(kMuch);
  EXPECT_GT(table.mib(), 1);
  EXPECT_LT(table.mib(), kMuch);
  EXPECT_LE(rest.mib(), table.mib());
  table.clear();
  table.store(~std::uint64_t{0}, entry(3, 4));
  EXPECT_TRUE(table.find(~std::uint64_t{0}));
}

TEST(TranspositionTable, KeepsWhatIsDeepAndLetsTheOldGo) {
  TranspositionTable table(1);
  for (std::uint64_t key = 1; key <= 4; ++key)
    table.store(key, entry(0, 20 - static_cast<int>(key)));
  table.store(5, entry(0, 1));  // all keys below 2^32 share a bucket of four
  EXPECT_TRUE(table.find(5));
  EXPECT_FALSE(table.find(4)) << "the least deep makes way";
  EXPECT_TRUE(table.find(1));
  for (int search = 0; search < 6; ++search) table.new_search();
  for (std::uint64_t key = 11; key <= 13; ++key) table.store(key, entry(0, 1));
  for (std::uint64_t key = 11; key <= 13; ++key) EXPECT_TRUE(table.find(key)) << "of this search";
}

TEST(TranspositionTable, LetsAShallowLookAtAPositionNotEraseADeepOne) {
  TranspositionTable table(1);
  table.store(5, entry(30, 9));
  TranspositionTable::Entry shallow = entry(-40, 1);
  shallow.move = {};
  table.store(5, shallow);
  EXPECT_EQ(table.find(5)->score, 30);
  shallow.depth = 8;
  table.store(5, shallow);
  EXPECT_EQ(table.find(5)->score, -40) << "nearly as deep, and newer";
  EXPECT_EQ(table.find(5)->move, entry(0, 0).move) << "a move is kept where there is no other";
  shallow.depth = 1;
  shallow.bound = Bound::kExact;
  table.store(5, shallow);
  EXPECT_EQ(table.find(5)->depth, 1) << "exact";
  table.store(6, entry(30, 9));
  table.new_search();
  table.store(6, entry(-40, 1));
  EXPECT_EQ(table.find(6)->depth, 1) << "what an earlier search left makes way";
}

// However often it was cleared, by whichever way, it answers as a new one does.
TEST(TranspositionTable, IsAsNewWhenItIsCleared) {
  TranspositionTable used(1);
  for (std::uint64_t round = 0; round < 150; ++round) {
    TranspositionTable fresh(1);
    used.clear();
    const int searches = round % 40 == 7 ? 70 : static_cast<int>(round % 6);  // all ages; few
    base::Rng rng(round);
    for (int search = 0; search <= searches; ++search) {
      for (int i = 0; i < 40; ++i) {
        const std::uint64_t key = 1 + rng.below(12);  // of one bucket
        const auto stored =
            entry(static_cast<int>(rng.below(100)), static_cast<int>(rng.below(20)));
        const auto known = used.find(key), expected = fresh.find(key);
        ASSERT_EQ(known.has_value(), expected.has_value()) << round << " " << search << " " << key;
        if (known) {
          ASSERT_EQ(known->score, expected->score) << round << " " << search << " " << key;
        }
        used.store(key, stored);
        fresh.store(key, stored);
      }
      used.new_search();
      fresh.new_search();
    }
  }
}

TEST(TranspositionTable, IsNotFooledByThreadsThatWriteAtOnce) {
  TranspositionTable table(1);
  std::vector<std::jthread> threads;
  std::atomic<int> wrong = 0, found = 0;
  for (std::uint64_t thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      base::Rng rng(thread);
      for (int i = 0; i < 200000; ++i) {
        const std::uint64_t key = 1 + rng.below(16);
        if (const auto seen = table.find(key)) {
          ++found;
          wrong += seen->score != static_cast<int>(key) || seen->depth != key;
        }
        table.store(key, entry(static_cast<int>(key), static_cast<int>(key)));
      }
    });
  }
  threads.clear();
  EXPECT_GT(found, 0);
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace tactics
