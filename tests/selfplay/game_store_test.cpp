#include "selfplay/game_store.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "base/errors.h"
#include "tests/selfplay/random_games.h"
#include "tests/temporary_folder.h"

namespace selfplay {
namespace {

class GameStoreTest : public testing::Test {
 protected:
  // The message of the InputError that opening the path for reading gives.
  std::string refusal() const {
    try {
      GameStore store(path_, StoreMode::kRead);
    } catch (const base::InputError& error) {
      return error.what();
    }
    return "none";
  }

  const TemporaryFolder folder_;
  const std::filesystem::path path_ = folder_ / "games.db";
};

std::vector<GameRecord> games(int first, int count, int generation = 0) {
  std::vector<GameRecord> records;
  for (int i = 0; i < count; ++i) {
    records.push_back(random_game(static_cast<std::uint64_t>(first + i), generation));
  }
  return records;
}

TEST_F(GameStoreTest, GivesBackWhatWasAppended) {
  const auto records = games(0, 5, 3);
  {
    GameStore store(path_, StoreMode::kWrite);
    EXPECT_EQ(store.append(records), 1);
    EXPECT_EQ(store.append(games(5, 2)), 6);
  }
  const GameStore store(path_, StoreMode::kRead);
  EXPECT_EQ(store.count(), 7);
  EXPECT_EQ(store.last_id(), 7);
  const auto loaded = store.load(1, 5);
  ASSERT_EQ(loaded.size(), 5u);
  for (std::size_t i = 0; i < loaded.size(); ++i) {
    EXPECT_EQ(loaded[i].id, static_cast<std::int64_t>(i) + 1);
    EXPECT_EQ(loaded[i].seed, records[i].seed);
    EXPECT_EQ(loaded[i].generation, 3);
    ASSERT_EQ(loaded[i].plies.size(), records[i].plies.size());
  }
}

TEST_F(GameStoreTest, LeavesOutAGameThatARunPlaysAgain) {
  GameStore store(path_, StoreMode::kWrite);
  store.append(games(0, 4, 1));
  store.append(games(2, 4, 1));  // two of them again
  EXPECT_EQ(store.count(), 6);
  store.append(games(0, 4, 2));  // the same seeds in another generation are other games
  EXPECT_EQ(store.count(), 10);
  GameRecord without_seed = random_game(0);
  without_seed.seed = 0;
  store.append({&without_seed, 1});
  store.append({&without_seed, 1});
  EXPECT_EQ(store.count(), 12);
}

TEST_F(GameStoreTest, CopiesGamesUnderTheirIdsAndRefusesOthersThere) {
  GameStore store(path_, StoreMode::kWrite);
  std::vector<GameRecord> records = games(0, 3, 1);
  for (std::size_t i = 0; i < 3; ++i) records[i].id = static_cast<std::int64_t>(i) + 5;
  store.copy_in(records);
  store.copy_in(records);  // the rest of a copy that was cut off
  EXPECT_EQ(store.count(), 3);
  EXPECT_EQ(store.last_id(), 7);
  std::vector<GameRecord> others = games(10, 2, 1);
  others[0].id = 8;
  others[1].id = 7;
  EXPECT_THROW(store.copy_in(others), base::InputError);
  EXPECT_EQ(store.count(), 3);
}

TEST_F(GameStoreTest, KeepsTheNewestSoThatNoIdComesTwice) {
  GameStore store(path_, StoreMode::kWrite);
  store.append(games(0, 4));
  EXPECT_EQ(store.prune(0), 3);
  EXPECT_EQ(store.append(games(4, 1)), 5);
}

TEST_F(GameStoreTest, CountsAndLoadsTheNewest) {
  GameStore store(path_, StoreMode::kWrite);
  const auto records = games(10, 6);
  store.append(records);
  EXPECT_EQ(store.count(), 6);

  int seen = 0;
  const auto back = store.load_back(5, [&seen](const GameRecord& record) {
    EXPECT_EQ(record.id, 5 - seen);
    return ++seen < 3;
  });
  EXPECT_EQ(seen, 3);
  ASSERT_EQ(back.size(), 2u);
  EXPECT_EQ(back[0].id, 4);
  EXPECT_EQ(back[1].id, 5);
  EXPECT_EQ(store.load_back(100, [](const GameRecord&) { return true; }).size(), 6u);
}

TEST_F(GameStoreTest, FiltersByGenerationAndLast) {
  GameStore store(path_, StoreMode::kWrite);
  store.append(games(0, 3, 1));
  store.append(games(3, 4, 2));
  const auto ids = [&store](const GameRange& range) {
    std::vector<std::int64_t> seen;
    store.visit(range, [&seen](const GameRecord& record) {
      seen.push_back(record.id);
      return true;
    });
    return seen;
  };
  using Ids = std::vector<std::int64_t>;
  EXPECT_EQ(ids({}), (Ids{1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(ids({.generation = 2}), (Ids{4, 5, 6, 7}));
  EXPECT_EQ(ids({.generation = 1, .last = 2}), (Ids{2, 3}));
  EXPECT_EQ(ids({.last = 3}), (Ids{5, 6, 7}));
  EXPECT_EQ(ids({.generation = 9, .last = 3}), Ids{});
}

TEST_F(GameStoreTest, IsOneThatAHumanCanQuery) {
  GameStore store(path_, StoreMode::kWrite);
  GameRecord record = random_game(1, 7);
  record.ended = rules::Adjudication::kFastFifty;
  record.outcome = rules::Outcome::kImpasseEqual;
  record.table.points_white[3] = 4.5;
  store.append({&record, 1});
  SQLite::Database database(path_.string());
  SQLite::Statement query(database,
                          "SELECT generation, rules, outcome, points_white, ended, plies, "
                          "scoring_table, start_fen FROM games");
  ASSERT_TRUE(query.executeStep());
  EXPECT_EQ(query.getColumn(0).getInt(), 7);
  EXPECT_EQ(query.getColumn(1).getString(), "chess_sharp");
  EXPECT_EQ(query.getColumn(2).getString(), "impasse_equal");
  EXPECT_EQ(query.getColumn(3).getDouble(), 4.5);
  EXPECT_EQ(query.getColumn(4).getString(), "fast_fifty");
  EXPECT_EQ(query.getColumn(5).getInt64(), std::ssize(record.plies));
  EXPECT_EQ(query.getColumn(6).getString(), "impasse_equal=4.5");
  EXPECT_EQ(query.getColumn(7).getString(), record.start_fen);
}

TEST_F(GameStoreTest, NamesFileAndGameWhereARecordIsDamaged) {
  {
    GameStore store(path_, StoreMode::kWrite);
    store.append(games(0, 3));
  }
  SQLite::Database(path_.string(), SQLite::OPEN_READWRITE)
      .exec("UPDATE games SET record = substr(record, 1, 40) WHERE id = 2");
  const GameStore store(path_, StoreMode::kRead);
  EXPECT_EQ(store.load(3, 3).size(), 1u);
  try {
    store.load(1, 3);
    FAIL() << "a damaged game was read";
  } catch (const base::InputError& error) {
    EXPECT_EQ(error.what(), path_.string() + ": game 2: its checksum does not fit");
  }
}

TEST_F(GameStoreTest, RefusesWhatIsNotAStoreOrOfAnotherVersion) {
  EXPECT_EQ(refusal(), path_.string() + ": there is no such file; expected a store of games");
  std::ofstream(path_) << "This is no database, but it is long enough to look like something.\n";
  EXPECT_EQ(refusal(), path_.string() + ": file is not a database");
  EXPECT_THROW(GameStore(path_, StoreMode::kWrite), base::InputError);

  std::filesystem::remove(path_);
  SQLite::Database(path_.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE)
      .exec("CREATE TABLE games (id)");
  EXPECT_EQ(refusal(), path_.string() + ": this is not a store of games");
  EXPECT_THROW(GameStore(path_, StoreMode::kWrite), base::InputError);

  std::filesystem::remove(path_);
  { GameStore store(path_, StoreMode::kWrite); }
  SQLite::Database(path_.string(), SQLite::OPEN_READWRITE).exec("PRAGMA user_version = 99");
  EXPECT_EQ(refusal(), path_.string() + ": a store of games of version 99, expected 1");
}

TEST_F(GameStoreTest, RefusesATrigger) {
  { GameStore store(path_, StoreMode::kWrite); }
  SQLite::Database(path_.string(), SQLite::OPEN_READWRITE)
      .exec("CREATE TRIGGER t AFTER INSERT ON games BEGIN DELETE FROM games; END");
  EXPECT_NE(refusal(), "none");
  EXPECT_THROW(GameStore(path_, StoreMode::kWrite), base::InputError);
}

TEST_F(GameStoreTest, LooksAtEveryPageWhenItIsOpenedButNotForEveryGameInTheIndices) {
  GameStore(path_, StoreMode::kWrite).append(games(0, 40));
  SQLite::Database(path_.string(), SQLite::OPEN_READWRITE)
      .exec(
          "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, "
          "'(generation, plies)', '(plies, generation)') WHERE name = 'games_by_generation'");
  EXPECT_NO_THROW(GameStore(path_, StoreMode::kWrite));
  std::fstream file(path_, std::ios::binary | std::ios::in | std::ios::out);
  file.seekp(5 * 4096);
  file << std::string(2 * 4096, 'x');
  file.close();
  EXPECT_THROW(GameStore(path_, StoreMode::kWrite), base::InputError);
}

TEST_F(GameStoreTest, RefusesAGameThatCannotHaveBeenPlayed) {
  GameStore store(path_, StoreMode::kWrite);
  std::vector<GameRecord> records = games(0, 2);
  records[1].plies[3].played = rules::Move::from_raw(0xffff);
  store.append(records);
  EXPECT_EQ(store.load(1, 1).size(), 1u);
  EXPECT_THROW(store.load(1, 2), base::InputError);
}

TEST_F(GameStoreTest, TakesGamesFromSeveralThreads) {
  GameStore store(path_, StoreMode::kWrite);
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 3; ++t) {
      threads.emplace_back([&store, t] {
        for (int i = 0; i < 10; ++i) store.append(games(t * 100 + 2 * i, 2, t));
      });
    }
  }
  EXPECT_EQ(store.count(), 60);
  int total = 0;
  store.visit({.generation = 1}, [&total](const GameRecord&) {
    ++total;
    return true;
  });
  EXPECT_EQ(total, 20);
}

TEST_F(GameStoreTest, AKilledWriterLeavesWholeTransactions) {
  const pid_t child = fork();
  if (child == 0) {
    GameStore store(path_, StoreMode::kWrite);
    for (int i = 0;; ++i) store.append(games(3 * i, 3));
  }
  while (!std::filesystem::exists(path_) || std::filesystem::file_size(path_) == 0) usleep(1000);
  usleep(100'000);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  GameStore store(path_, StoreMode::kWrite);
  EXPECT_EQ(store.count() % 3, 0);
  EXPECT_EQ(std::ssize(store.load(1, store.last_id())), store.count());
  const std::int64_t before = store.last_id();
  EXPECT_EQ(store.append(games(1'000'000, 1)), before + 1);
}

// In a process whose files may not grow beyond 256 KiB: the same as a full disk to whoever writes.
TEST_F(GameStoreTest, AFullDiskIsTheEnvironmentsFaultAndLosesNothingWritten) {
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{256 << 10, 256 << 10};
    setrlimit(RLIMIT_FSIZE, &limit);
    int written = 0;
    try {
      GameStore store(path_, StoreMode::kWrite);
      for (; written < 100; ++written) store.append(games(written, 1));
    } catch (const base::EnvironmentError&) {
      _exit(written);
    } catch (...) {
      _exit(255);
    }
    _exit(254);
  }
  int status = 0;
  waitpid(child, &status, 0);
  const int written = WEXITSTATUS(status);
  ASSERT_GT(written, 0);
  ASSERT_LT(written, 100);
  GameStore store(path_, StoreMode::kWrite);
  EXPECT_EQ(store.count(), written);
  EXPECT_EQ(std::ssize(store.load(1, store.last_id())), written);
}

TEST_F(GameStoreTest, AMissingFolderIsTheEnvironmentsFault) {
  EXPECT_THROW(GameStore(folder_ / "none/games.db", StoreMode::kWrite), base::EnvironmentError);
}

}  // namespace
}  // namespace selfplay
