#include "book/book_file.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <stdexcept>
#include <thread>

#include "base/errors.h"
#include "tests/book/exact_searcher.h"
#include "tests/book_rows.h"
#include "tests/temporary_folder.h"

namespace book {
namespace {

using testing::HasSubstr;

const char* const kEnding = "k7/8/2K5/8/8/8/8/7R w - - 95 80";

// Grows the folder's book as the command does; `keep` is called after each step.
void grow_in(
    const std::string& folder, int positions, int threads,
    const std::function<void()>& keep = [] {}) {
  const Terms terms = ending(kEnding);
  BookFile file(folder, terms);
  Book book = file.load();
  const auto solver = std::make_shared<Solver>(terms.table);
  solver->points(terms.start);  // from here on it only looks up
  grow(book, [&] { return std::make_unique<ExactSearcher>(solver, normal_noise(0.3), 5); },
       {.threads = threads,
        .positions = positions,
        .keep =
            [&](const Book& before, const Step& step) {
              file.append(before, step);
              keep();
            },
        .on_step = [](const Book&) {}});
}

TEST(BookFile, GivesBackTheBook) {
  const TemporaryFolder folder;
  grow_in(folder.path(), 80, 1);
  Book grown(ending(kEnding));
  const auto solver = std::make_shared<Solver>(grown.terms().table);
  grow_in_memory(
      grown, [&] { return std::make_unique<ExactSearcher>(solver, normal_noise(0.3), 5); }, 80);
  const Book read = read_book(folder.path());
  EXPECT_EQ(read.terms(), grown.terms());
  ASSERT_EQ(read.size(), 80);
  for (int i = 0; i < 80; ++i) {
    EXPECT_EQ(read.node(i).position, grown.node(i).position);
    EXPECT_EQ(read.node(i).edges, grown.node(i).edges);
    EXPECT_EQ(read.node(i).rest, grown.node(i).rest);
    EXPECT_EQ(read.node(i).points, grown.node(i).points);
    EXPECT_EQ(read.node(i).cost, grown.node(i).cost);
  }
}

TEST(BookFile, InterruptedAnywhereItIsTheSameBook) {
  const TemporaryFolder whole, parts;
  grow_in(whole.path(), 100, 1);
  for (int steps = 1; steps <= 30; ++steps) {  // in the middle of a call, the step being kept
    int left = steps % 7;
    try {
      grow_in(parts.path(), 100, 1, [&left] {
        if (left-- == 0) throw std::runtime_error("interrupted");
      });
    } catch (const std::runtime_error&) {
    }
  }
  grow_in(parts.path(), 100, 1);
  EXPECT_EQ(book_rows(parts.path()), book_rows(whole.path()));
}

TEST(BookFile, KilledTwentyTimesNothingIsLost) {
  const TemporaryFolder whole, killed;
  grow_in(whole.path(), 150, 1);
  // Each step has added one or more.
  const auto moves_in = [](const std::string& folder) {
    int moves = 1;
    for (const Node& node : read_book(folder).nodes()) moves += static_cast<int>(node.edges.size());
    return moves;
  };
  int least = 0;
  for (int kill_after_ms = 1; kill_after_ms <= 20; ++kill_after_ms) {
    int pipe_ends[2];
    ASSERT_EQ(::pipe(pipe_ends), 0);
    const pid_t child = ::fork();
    if (child == 0) {
      int step = 0;
      grow_in(killed.path(), 150, 1, [&] {
        const char byte = 'x';
        static_cast<void>(!::write(pipe_ends[1], &byte, 1));
        if (++step >= 6) std::this_thread::sleep_for(std::chrono::hours(1));
      });
      ::_exit(0);
    }
    ::close(pipe_ends[1]);
    char byte;
    int kept = 0;
    for (; kept < 1 + kill_after_ms % 6 && ::read(pipe_ends[0], &byte, 1) == 1; ++kept) {
    }
    std::this_thread::sleep_for(std::chrono::microseconds(137 * kill_after_ms));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    ::close(pipe_ends[0]);
    const int now = moves_in(killed.path());
    EXPECT_GE(now, least + kept);
    least = now;
  }
  grow_in(killed.path(), 150, 1);
  EXPECT_EQ(book_rows(killed.path()), book_rows(whole.path()));
}

TEST(BookFile, SeveralThreadsGrowABookThatReadsBack) {
  const TemporaryFolder folder;
  grow_in(folder.path(), 300, 4);
  const Book book = read_book(folder.path());
  EXPECT_EQ(book.size(), 300);
}

TEST(BookFile, AnotherBookIsRefusedInOneLine) {
  const TemporaryFolder folder;
  grow_in(folder.path(), 10, 1);
  const auto refusal = [&](const std::function<void()>& open) -> std::string {
    try {
      open();
    } catch (const base::InputError& error) {
      return error.what();
    }
    return "";
  };
  Terms other = ending(kEnding);
  other.nodes = 2;
  EXPECT_THAT(refusal([&] { BookFile(folder.path(), other); }),
              HasSubstr("book.db: a book of nodes 1, expected 2"));
  EXPECT_THAT(refusal([&] { read_book(folder / "none"); }), HasSubstr("expected a book"));
  const auto damaged = [&](const char* change) {
    SQLite::Database(folder / kBookFile, SQLite::OPEN_READWRITE).exec(change);
    return refusal([&] { read_book(folder.path()); });
  };
  EXPECT_THAT(damaged("UPDATE positions SET fen = 'x' WHERE id = 3"),
              HasSubstr("book.db: damaged: position 3: "));
  EXPECT_THAT(damaged("DELETE FROM positions WHERE id = 3"), HasSubstr("position 3: expected"));
  EXPECT_THAT(damaged("DELETE FROM settings WHERE name = 'table'"),
              HasSubstr("expected the setting table"));
  EXPECT_THAT(damaged("PRAGMA user_version = 9"), HasSubstr("a book of version 9, expected 1"));
}

}  // namespace
}  // namespace book
