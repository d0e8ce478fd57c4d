#include "tactics/alphabeta.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <new>
#include <optional>
#include <span>
#include <system_error>
#include <thread>

#include "tactics/alphabeta_worker.h"

namespace tactics {

double AlphaBetaReport::drawing_weight(std::size_t line) const {
  if (line == 0) return 1;
  return lines[line].searched ? std::exp((lines[line].score - lines[0].score) / kDrawingSpread) : 0;
}

class AlphaBetaSearch::Impl {
 public:
  Impl(const Evaluator& evaluator, int threads, int hash_mib)
      : shared_(hash_mib, threads),
        reporter_(evaluator),
        workers_(static_cast<std::size_t>(threads)) {
    workers_.front() = std::make_unique<AlphaBetaWorker>(evaluator, shared_);
  }

  int hash_mib() const { return shared_.table.mib(); }

  void clear() {
    table_.reset();
    shared_.table.clear();
    shared_.histories.clear();
  }

  AlphaBetaReport search(const rules::Position& root, const rules::ScoringTable& table,
                         const rules::History& past, const AlphaBetaLimits& limits,
                         const Listener& listener);

 private:
  using Clock = std::chrono::steady_clock;
  // What every thread of a search is told.
  struct Task {
    const rules::Position& root;
    const rules::ScoringTable& table;
    const rules::History& past;
    const AlphaBetaLimits& limits;
    std::vector<rules::Move> moves{};
  };

  double elapsed_ms() const {
    return std::chrono::duration<double, std::milli>(Clock::now() - started_.load()).count();
  }
  AlphaBetaReport report(const rules::Position& root, int depth, int lines, bool final);
  bool enough(int depth, const AlphaBetaLimits& limits);
  void poll(const AlphaBetaLimits& limits);
  bool waits(const AlphaBetaLimits& limits);
  void prepare(Task& task);
  void set_root(AlphaBetaWorker& worker, const Task& task);
  void start_helpers(const Task& task, std::vector<std::jthread>& helpers);
  std::array<float, rules::kOutcomes> outcomes_of(const AlphaBetaLine& line,
                                                  const rules::Position& root);

  SearchShared shared_;
  Evaluator reporter_;  // evaluates the lines' ends
  // One a thread, the calling thread's first; the others are made when they are first to search.
  std::vector<std::unique_ptr<AlphaBetaWorker>> workers_;
  std::size_t searching_ = 1;  // the first of them
  std::size_t given_ = 1;      // all, or as many as the machine gives
  std::optional<rules::ScoringTable> table_;
  Clock::time_point began_;                 // of the search
  std::atomic<Clock::time_point> started_;  // from when time counts
  rules::Move last_best_;
  int unchanged_ = 0;  // depths for which the best move has stayed
};

AlphaBetaReport AlphaBetaSearch::Impl::report(const rules::Position& root, int depth, int lines,
                                              bool final) {
  AlphaBetaWorker& worker = *workers_.front();
  AlphaBetaReport report;
  report.final = final;
  report.depth = depth;
  report.selective_depth = worker.selective_depth();
  report.threads = static_cast<int>(given_);
  for (const auto& each : std::span(workers_).first(searching_)) report.nodes += each->nodes();
  report.elapsed_ms = std::chrono::duration<double, std::milli>(Clock::now() - began_).count();
  const auto& moves = worker.root_moves();
  for (std::size_t i = 0; i < std::min(moves.size(), static_cast<std::size_t>(lines)); ++i) {
    AlphaBetaLine line{.score = moves[i].score, .moves = moves[i].line};
    if (line.score == -kInfiniteScore) line.score = moves[i].previous;
    if (line.score == -kInfiniteScore) {
      line.score = i > 0 ? report.lines.back().score : 0;
      line.searched = false;
    }
    line.outcomes = outcomes_of(line, root);
    report.lines.push_back(std::move(line));
  }
  return report;
}

// Says whether the time is better kept for later moves: at once where there is no choice, else less
// is needed where the best move has stayed, more where its score fell.
bool AlphaBetaSearch::Impl::enough(int depth, const AlphaBetaLimits& limits) {
  const auto& best = workers_.front()->root_moves().front();
  unchanged_ = best.move == last_best_ ? unchanged_ + 1 : 0;
  last_best_ = best.move;
  if (waits(limits)) return false;
  if (limits.depth != 0 && depth >= limits.depth) return true;
  const bool decided =
      std::abs(best.score) > kDecidedScore && kWinScore - std::abs(best.score) <= depth;
  if (decided) return true;
  if (limits.soft_ms == 0) return false;
  if (workers_.front()->root_moves().size() == 1) return true;
  const double drop = best.previous > -kInfiniteScore ? best.previous - best.score : 0;
  const double fraction = kEnoughAtFirst -
                          kEnoughPerSteadyDepth * std::min(unchanged_, kMostSteadyDepths) +
                          std::clamp(kEnoughPerScoreDrop * drop, 0.0, kMostForScoreDrop);
  return elapsed_ms() >= limits.soft_ms * fraction;
}

// Stops the search when it is told to or its time is over. Every thread looks: one of many that
// share a core may not have its turn for seconds.
void AlphaBetaSearch::Impl::poll(const AlphaBetaLimits& limits) {
  if (limits.stop != nullptr && *limits.stop) shared_.stop = true;
  if (waits(limits)) return;
  const bool late = limits.hard_ms > 0 && elapsed_ms() >= limits.hard_ms;
  const bool enough_nodes = limits.nodes > 0 && shared_.nodes >= limits.nodes;
  if (late || enough_nodes) shared_.stop = true;
}

// Says whether only `stop` ends the search now. Time counts from when it was last so.
bool AlphaBetaSearch::Impl::waits(const AlphaBetaLimits& limits) {
  const Clock::time_point now = Clock::now();  // before the look at what may end it
  const bool pondering = limits.ponder != nullptr && *limits.ponder;
  if (pondering) started_ = now;
  return pondering || limits.infinite;
}

void AlphaBetaSearch::Impl::prepare(Task& task) {
  if (table_ && *table_ != task.table) clear();
  table_ = task.table;
  reporter_.set_table(task.table);
  shared_.stop = false;
  shared_.nodes = 0;
  shared_.table.new_search();
  last_best_ = {};
  unchanged_ = 0;
  searching_ = 1;
  given_ = workers_.size();
  task.moves = task.limits.search_moves;
  if (task.moves.empty()) {
    rules::MoveList list;
    task.root.surviving_moves(list);
    if (list.empty()) task.root.legal_moves(list);
    task.moves.assign(list.begin(), list.end());
  }
  set_root(*workers_.front(), task);
}

void AlphaBetaSearch::Impl::set_root(AlphaBetaWorker& worker, const Task& task) {
  const AlphaBetaLimits& limits = task.limits;
  // With one thread the limit of nodes is exact but for what the stopped plies still count.
  const std::uint64_t node_limit =
      workers_.size() == 1 && !limits.infinite && limits.ponder == nullptr ? limits.nodes : 0;
  worker.set_root(task.root, task.table, task.past, task.moves, node_limit, limits.full_width);
  worker.set_poll([this, &limits] { poll(limits); });
}

// Starts the other threads, as long as the machine gives them and there is time.
void AlphaBetaSearch::Impl::start_helpers(const Task& task,
                                          std::vector<std::jthread>& helpers) try {
  for (std::size_t i = 1; i < workers_.size() && !shared_.stop; ++i) {
    if (!workers_[i]) workers_[i] = std::make_unique<AlphaBetaWorker>(reporter_, shared_);
    set_root(*workers_[i], task);
    helpers.emplace_back([&worker = *workers_[i]] {
      int depth = 1;
      while (depth < kMaxSearchPly && worker.deepen(depth, 1)) ++depth;
    });
    searching_ = i + 1;
    poll(task.limits);
  }
} catch (const std::system_error&) {  // no more threads
  given_ = searching_;
} catch (const std::bad_alloc&) {
  given_ = searching_;
}

// What is expected at the end of the line, seen from the root.
std::array<float, rules::kOutcomes> AlphaBetaSearch::Impl::outcomes_of(
    const AlphaBetaLine& line, const rules::Position& root) {
  const rules::Color mover = root.side_to_move();
  if (std::abs(line.score) > kDecidedScore) {
    const rules::Color winner = line.score > 0 ? mover : ~mover;
    return rules::outcomes_seen_by(rules::certain(rules::win_of(winner)), mover);
  }
  rules::Position end = root;
  for (const rules::Move move : line.moves) end.play(move);
  if (const auto outcome = end.outcome(*table_)) {
    return rules::outcomes_seen_by(rules::certain(*outcome), mover);
  }
  reporter_.start(end);
  auto outcomes = reporter_.outcomes(end);
  if (end.side_to_move() != mover) std::ranges::reverse(outcomes);
  return outcomes;
}

AlphaBetaReport AlphaBetaSearch::Impl::search(const rules::Position& root,
                                              const rules::ScoringTable& table,
                                              const rules::History& past,
                                              const AlphaBetaLimits& limits,
                                              const Listener& listener) {
  started_ = began_ = Clock::now();
  Task task{root, table, past, limits};
  prepare(task);
  AlphaBetaWorker& leader = *workers_.front();
  const int lines = std::min(limits.multi_pv, static_cast<int>(leader.root_moves().size()));
  std::vector<std::jthread> helpers;
  int finished = 0;
  for (int depth = 1; depth < kMaxSearchPly && leader.deepen(depth, lines); ++depth) {
    finished = depth;
    if (listener) listener(report(root, depth, lines, false));
    if (enough(depth, limits)) break;
    // Until then one thread has a move, whatever becomes of the others.
    if (depth == 1) start_helpers(task, helpers);
  }
  while (waits(limits) && !shared_.stop) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    poll(limits);
  }
  shared_.stop = true;
  helpers.clear();
  AlphaBetaReport last = report(root, finished, lines, true);
  if (listener) listener(last);
  return last;
}

AlphaBetaSearch::AlphaBetaSearch(const Evaluator& evaluator, int threads, int hash_mib)
    : impl_(std::make_unique<Impl>(evaluator, threads, hash_mib)) {}
AlphaBetaSearch::~AlphaBetaSearch() = default;
int AlphaBetaSearch::hash_mib() const { return impl_->hash_mib(); }
void AlphaBetaSearch::clear() { impl_->clear(); }
AlphaBetaReport AlphaBetaSearch::search(const rules::Position& root,
                                        const rules::ScoringTable& table,
                                        const rules::History& past, const AlphaBetaLimits& limits,
                                        const Listener& listener) {
  return impl_->search(root, table, past, limits, listener);
}

}  // namespace tactics
