#pragma once
// Best-first growth: several threads, each with its own search, add the cheapest moves to a book.

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>

#include "book/book.h"
#include "book/searcher.h"

namespace book {

struct Growth {
  int threads = 1;
  std::optional<int> positions{};  // that the book shall have; empty: no limit
  std::optional<std::chrono::steady_clock::time_point> until{};
  const std::atomic<bool>* stop = nullptr;  // may be null; searches look at it themselves
  // Keeps the step before the book takes it; what it throws ends the growth.
  std::function<void(const Book&, const Step&)> keep{};
  std::function<void(const Book&)> on_step{};  // the book has taken one
};

// Makes a thread's search.
using MakeSearcher = std::function<std::unique_ptr<Searcher>()>;

// Grows the book until a limit is reached or it is told to stop; true where nothing is left to add.
// With one thread each step depends on the book alone, so that it does not matter where growth was
// interrupted. Calls `keep` and `on_step` one at a time, from any of the threads. Rethrows what a
// search or a call has thrown.
bool grow(Book& book, const MakeSearcher& make_searcher, const Growth& growth);

}  // namespace book
