#include "book/grow.h"

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <mutex>
#include <utility>
#include <vector>

#include "base/threads.h"

namespace book {
namespace {

class Growing {
 public:
  Growing(Book& book, const Growth& growth) : book_(book), growth_(growth) {}

  void work(Searcher& searcher) try {
    std::unique_lock lock(mutex_);
    while (!over()) {
      std::optional<Step> step = take();
      if (!step) {
        if (under_way_.empty()) complete_ = true;
        if (complete_) break;
        changed_.wait(lock);
        continue;
      }
      lock.unlock();
      const bool found = search(searcher, *step);
      lock.lock();
      std::erase_if(under_way_, [&](const Step& each) { return each.at == step->at; });
      if (found && book_.fits(*step)) {
        if (step->entering) step->edge.to = book_.size();  // others have entered meanwhile
        growth_.keep(book_, *step);
        book_.add(std::move(*step));
        growth_.on_step(book_);
      }
      changed_.notify_all();
    }
    changed_.notify_all();
  } catch (...) {
    const std::lock_guard lock(mutex_);
    failed_ = true;
    changed_.notify_all();
    throw;
  }
  // Whether nothing is left to add. REQUIRES: nobody works.
  bool complete() const { return complete_; }

 private:
  bool over() const {
    const auto entering = std::ranges::count_if(
        under_way_, [](const Step& step) { return step.entering.has_value(); });
    return failed_ || complete_ || (growth_.stop && *growth_.stop) ||
           (growth_.positions && book_.size() + entering >= *growth_.positions) ||
           (growth_.until && std::chrono::steady_clock::now() >= *growth_.until);
  }

  // The cheapest step that is not in the way of one under way, which it now is; empty: none.
  std::optional<Step> take() {
    std::optional<Step> step;
    if (book_.size() == 0) {
      if (under_way_.empty()) step = book_.step_at(-1);
    } else {
      step = cheapest();
    }
    if (step) under_way_.push_back(*step);
    return step;
  }

  std::optional<Step> cheapest() const {
    std::vector<std::pair<double, int>> open;  // with its cost
    for (int i = 0; i < book_.size(); ++i) {
      const double cost = book_.cost_of_growth(book_.node(i));
      if (std::isfinite(cost)) open.emplace_back(cost, i);
    }
    std::ranges::make_heap(open, std::greater());
    for (; !open.empty(); open.pop_back()) {
      std::ranges::pop_heap(open, std::greater());
      std::optional<Step> step = book_.step_at(open.back().second);
      if (step && is_free(*step)) return step;
    }
    return std::nullopt;
  }

  bool is_free(const Step& step) const {
    return std::ranges::none_of(under_way_, [&](const Step& other) {
      const bool same = step.entering && other.entering &&
                        step.entering->position.recurs_as(other.entering->position);
      return same || step.at == other.at;
    });
  }

  // Fills in the findings; false where a search was stopped. The book has not changed at the node:
  // no other step is under way there.
  bool search(Searcher& searcher, Step& step) {
    const auto find = [&](const Node& node, const std::vector<Edge>& edges,
                          std::optional<Finding>& rest) {
      const std::vector<rules::Move> moves = Book::outside(node, edges);
      if (moves.empty()) return true;
      rest = searcher.search(node.position, moves);
      return rest.has_value();
    };
    if (step.entering && !step.entering->outcome &&
        !find(*step.entering, step.entering->edges, step.entering->rest)) {
      return false;
    }
    if (step.at < 0) return true;
    const Node at = [&] {
      const std::lock_guard lock(mutex_);
      return book_.node(step.at);
    }();
    std::vector<Edge> edges = at.edges;
    edges.push_back(step.edge);
    return find(at, edges, step.rest);
  }

  Book& book_;
  const Growth& growth_;
  std::mutex mutex_;  // guards all
  std::condition_variable changed_;
  std::vector<Step> under_way_;
  bool complete_ = false, failed_ = false;
};

}  // namespace

bool grow(Book& book, const MakeSearcher& make_searcher, const Growth& growth) {
  Growing growing(book, growth);
  std::vector<std::unique_ptr<Searcher>> searchers;
  for (int i = 0; i < growth.threads; ++i) searchers.push_back(make_searcher());
  base::Threads threads;
  for (const auto& searcher : searchers) threads.start([&] { growing.work(*searcher); });
  threads.join();
  return growing.complete();
}

}  // namespace book
