#include "tactics/alphabeta.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <new>
#include <optional>
#include <span>
#include <system_error>
#include <thread>
#include <utility>

#include "tactics/alphabeta_worker.h"

namespace tactics {

class AlphaBetaSearch::Impl {
 public:
  Impl(const Evaluator& evaluator, int threads, int hash_mib)
      : shared_(hash_mib, threads),
        reporter_(evaluator),
        workers_(static_cast<std::size_t>(threads)) {
    workers_.front() = std::make_unique<AlphaBetaWorker>(evaluator, shared_);
  }

  int hash_mib() const { return shared_.table.mib(); }
  void set_tablebase(const tablebase::Tables* tables) { tables_ = tables; }

  void clear() {
    table_.reset();
    shared_.table.clear();
    shared_.histories.clear();
    cleared_ = true;
  }

  SearchReport search(const rules::Position& root, const rules::ScoringTable& table,
                      const rules::History& past, const SearchLimits& limits,
                      const Listener& listener, const SearchControl& control);

 private:
  using SteadyClock = std::chrono::steady_clock;
  // What every thread of a search is told.
  struct Task {
    const rules::Position& root;
    const rules::ScoringTable& table;
    const rules::History& past;
    const SearchLimits& limits;
    const SearchControl& control;
    std::vector<rules::Move> moves{};

    // A move time is spent whole.
    double soft_ms() const { return limits.move_time_ms ? 0 : control.clock.soft_ms; }
    double hard_ms() const { return limits.move_time_ms.value_or(control.clock.hard_ms); }
  };

  double elapsed_ms() const {
    return std::chrono::duration<double, std::milli>(SteadyClock::now() - started_.load()).count();
  }
  SearchReport report(const rules::Position& root, int depth, int lines, bool final);
  bool enough(int depth, const Task& task);
  void poll(const Task& task);
  bool waits(const Task& task);
  void prepare(Task& task);
  void set_root(AlphaBetaWorker& worker, const Task& task);
  void start_helpers(const Task& task, std::vector<std::jthread>& helpers);
  RootMove root_move(const AlphaBetaWorker::RootMove& searched, const rules::Position& root,
                     std::span<const RootMove> better);
  rules::Outcomes outcomes_of(const RootMove& move, const rules::Position& root);

  SearchShared shared_;
  Evaluator reporter_;  // evaluates the lines' ends
  // One a thread, the calling thread's first; the others are made when they are first to search.
  std::vector<std::unique_ptr<AlphaBetaWorker>> workers_;
  std::size_t searching_ = 1;  // the first of them
  std::size_t given_ = 1;      // all, or as many as the machine gives
  std::optional<rules::ScoringTable> table_;
  const tablebase::Tables* tables_ = nullptr;
  bool cleared_ = true;                           // nothing was searched since
  SteadyClock::time_point began_;                 // of the search
  std::atomic<SteadyClock::time_point> started_;  // from when time counts
  rules::Move last_best_;
  int unchanged_ = 0;  // depths for which the best move has stayed
};

SearchReport AlphaBetaSearch::Impl::report(const rules::Position& root, int depth, int lines,
                                           bool final) {
  AlphaBetaWorker& worker = *workers_.front();
  SearchReport report;
  report.final = final;
  report.depth = depth;
  report.selective_depth = worker.selective_depth();
  report.threads = static_cast<int>(given_);
  for (const auto& each : std::span(workers_).first(searching_)) {
    report.nodes += each->nodes();
    report.tablebase_hits += each->tablebase_hits();
  }
  report.elapsed_ms =
      std::chrono::duration<double, std::milli>(SteadyClock::now() - began_).count();
  report.nodes_per_s = static_cast<double>(report.nodes) * 1000 / std::max(report.elapsed_ms, 0.1);
  for (const auto& searched :
       std::span(worker.root_moves()).first(static_cast<std::size_t>(lines))) {
    report.moves.push_back(root_move(searched, root, report.moves));
  }
  report.points_white = rules::points_white(value_of(report.best().score), root.side_to_move());
  return report;
}

// `better`: those reported before it. A move that was not searched has the score of the last of
// them, and is not drawn; where none was, the first has the position's evaluation.
RootMove AlphaBetaSearch::Impl::root_move(const AlphaBetaWorker::RootMove& searched,
                                          const rules::Position& root,
                                          std::span<const RootMove> better) {
  RootMove move;
  move.move = searched.move;
  move.line = searched.line;
  move.score = searched.score != -kInfiniteScore ? searched.score : searched.previous;
  const bool known = move.score != -kInfiniteScore;
  if (!known && better.empty()) {
    reporter_.start(root);
    move.score = score_of(reporter_.value_stm(root));
  } else if (!known) {
    move.score = better.back().score;
  }
  if (better.empty()) {
    move.weight = 1;
  } else if (known) {
    move.weight = std::exp((move.score - better.front().score) / kSamplingSpread);
  }
  move.value_stm = static_cast<float>(value_of(move.score));
  move.proven = known && std::abs(move.score) > kSurestScore;
  move.outcomes = outcomes_of(move, root);
  return move;
}

// Says whether the time is better kept for later moves: at once where there is no choice, else less
// is needed where the best move has stayed, more where its score fell.
bool AlphaBetaSearch::Impl::enough(int depth, const Task& task) {
  const auto& best = workers_.front()->root_moves().front();
  unchanged_ = best.move == last_best_ ? unchanged_ + 1 : 0;
  last_best_ = best.move;
  if (waits(task)) return false;
  if (task.limits.depth != 0 && depth >= task.limits.depth) return true;
  const bool decided =
      std::abs(best.score) > kDecidedScore && kWinScore - std::abs(best.score) <= depth;
  if (decided) return true;
  if (task.soft_ms() == 0) return false;
  if (workers_.front()->root_moves().size() == 1) return true;
  const double drop = best.previous > -kInfiniteScore ? best.previous - best.score : 0;
  const double fraction = kEnoughAtFirst -
                          kEnoughPerSteadyDepth * std::min(unchanged_, kMostSteadyDepths) +
                          std::clamp(kEnoughPerScoreDrop * drop, 0.0, kMostForScoreDrop);
  return elapsed_ms() >= task.soft_ms() * fraction;
}

// Stops the search when it is told to or its time is over. Every thread looks: one of many that
// share a core may not have its turn for seconds.
void AlphaBetaSearch::Impl::poll(const Task& task) {
  if (task.control.stop != nullptr && *task.control.stop) shared_.stop = true;
  if (waits(task)) return;
  const bool late = task.hard_ms() > 0 && elapsed_ms() >= task.hard_ms();
  const bool enough_nodes = task.limits.nodes > 0 && shared_.nodes >= task.limits.nodes;
  if (late || enough_nodes) shared_.stop = true;
}

// Says whether only `stop` ends the search now. Time counts from when it was last so.
bool AlphaBetaSearch::Impl::waits(const Task& task) {
  const SteadyClock::time_point now = SteadyClock::now();  // before the look at what may end it
  const bool pondering = task.limits.ponder && *task.control.ponder;
  if (pondering) started_ = now;
  return pondering || task.limits.infinite;
}

void AlphaBetaSearch::Impl::prepare(Task& task) {
  if (table_ && *table_ != task.table) clear();
  table_ = task.table;
  reporter_.set_table(task.table);
  shared_.stop = false;
  shared_.nodes = 0;
  shared_.tables = tables_ != nullptr && tables_->hold_under(task.table) ? tables_ : nullptr;
  if (!std::exchange(cleared_, false)) shared_.table.new_search();
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
  const SearchLimits& limits = task.limits;
  // With one thread the limit of nodes is exact but for what the stopped plies still count.
  const std::uint64_t node_limit =
      workers_.size() == 1 && !limits.infinite && !limits.ponder ? limits.nodes : 0;
  worker.set_root(task.root, task.table, task.past, task.moves, node_limit, limits.full_width);
  if (limits.search_moves.empty()) worker.order_root();  // else they come in the order asked for
  worker.set_poll([this, &task] { poll(task); });
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
    poll(task);
  }
} catch (const std::system_error&) {  // no more threads
  given_ = searching_;
} catch (const std::bad_alloc&) {
  given_ = searching_;
}

// What is expected at the end of the move's line.
rules::Outcomes AlphaBetaSearch::Impl::outcomes_of(const RootMove& move,
                                                   const rules::Position& root) {
  const rules::Color mover = root.side_to_move();
  if (std::abs(move.score) > kDecidedScore) {
    return rules::certain(rules::win_of(move.score > 0 ? mover : ~mover));
  }
  rules::Position end = root;
  for (const rules::Move each : move.line) end.play(each);
  if (const auto outcome = end.outcome(*table_)) return rules::certain(*outcome);
  if (shared_.tables != nullptr) {
    if (const auto verdict = shared_.tables->probe(end)) return rules::certain(verdict->outcome);
  }
  reporter_.start(end);
  return rules::outcomes_seen_by(reporter_.outcomes(end), end.side_to_move());
}

SearchReport AlphaBetaSearch::Impl::search(const rules::Position& root,
                                           const rules::ScoringTable& table,
                                           const rules::History& past, const SearchLimits& limits,
                                           const Listener& listener, const SearchControl& control) {
  started_ = began_ = SteadyClock::now();
  Task task{root, table, past, limits, control};
  prepare(task);
  AlphaBetaWorker& leader = *workers_.front();
  const int lines = std::min(limits.multi_pv, static_cast<int>(leader.root_moves().size()));
  std::vector<std::jthread> helpers;
  const struct Stop {  // ends the helpers, whatever is thrown here
    std::atomic<bool>& stop;
    ~Stop() { stop = true; }
  } stop_at_end{shared_.stop};
  int finished = 0;
  for (int depth = 1; depth < kMaxSearchPly && leader.deepen(depth, lines); ++depth) {
    finished = depth;
    if (listener) listener(report(root, depth, lines, false));
    if (enough(depth, task)) break;
    // Until then one thread has a move, whatever becomes of the others.
    if (depth == 1) start_helpers(task, helpers);
  }
  while (waits(task) && !shared_.stop) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    poll(task);
  }
  shared_.stop = true;
  helpers.clear();
  SearchReport last = report(root, finished, lines, true);
  if (listener) listener(last);
  return last;
}

AlphaBetaSearch::AlphaBetaSearch(const Evaluator& evaluator, int threads, int hash_mib)
    : impl_(std::make_unique<Impl>(evaluator, threads, hash_mib)) {}
AlphaBetaSearch::~AlphaBetaSearch() = default;
int AlphaBetaSearch::hash_mib() const { return impl_->hash_mib(); }
void AlphaBetaSearch::clear() { impl_->clear(); }
void AlphaBetaSearch::set_tablebase(const tablebase::Tables* tables) {
  impl_->set_tablebase(tables);
}
SearchReport AlphaBetaSearch::search(const rules::Position& root, const rules::ScoringTable& table,
                                     const rules::History& past, const SearchLimits& limits,
                                     const Listener& listener, const SearchControl& control) {
  return impl_->search(root, table, past, limits, listener, control);
}

}  // namespace tactics
