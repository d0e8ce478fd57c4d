#include "engine/tree_engine.h"

#include <algorithm>
#include <stdexcept>
#include <system_error>

#include "base/stopwatch.h"
#include "engine/known_ending.h"
#include "mcts/collector.h"
#include "mcts/root_report.h"
#include "rules/move_list.h"

namespace engine {
namespace {

using namespace mcts;

constexpr std::chrono::milliseconds kPoll{5};
constexpr std::chrono::milliseconds kReportAtMost{100};
constexpr std::chrono::milliseconds kReportAtLeast{1000};

// The moves, at most two, that lead from one position to the other; nothing where there are none.
std::optional<std::vector<rules::Move>> moves_between(const rules::Position& from,
                                                      const rules::Position& to,
                                                      const rules::ScoringTable& table) {
  if (from == to) return std::vector<rules::Move>{};
  for (const rules::Move first : from.legal_moves()) {
    const rules::Position next = from.after(first);
    if (next == to) return std::vector{first};
    if (next.outcome(table)) continue;
    for (const rules::Move second : next.legal_moves()) {
      if (next.after(second) == to) return std::vector{first, second};
    }
  }
  return std::nullopt;
}

}  // namespace

TreeEngine::TreeEngine(const EngineOptions& options, const EvaluatorFactory& make_evaluator,
                       int batch, const SearchConfig& search)
    : options_(options),
      batch_(batch),
      memory_(options.hash_mib),
      search_(search),
      cache_(search.cache_mib) {
  search_.max_tree_mib = memory_.mib();
  for (int i = 0; i < options_.threads; ++i) evaluators_.push_back(make_evaluator());
}

void TreeEngine::set_position(const rules::Position& root, const rules::ScoringTable& table,
                              const rules::History& past) {
  if (root.forced_outcome(table)) {
    throw std::invalid_argument("analysis: the game is over in " + root.to_fen());
  }
  if (!tree_ || !(tree_->table() == table)) {
    tree_ = std::make_unique<Tree>(search_, root, table, past);
    const tablebase::Tables* const known = options_.tablebase.get();
    tree_->set_tablebase(known != nullptr && known->hold_under(table) ? known : nullptr);
    policy_.forget();
    return;
  }
  const auto moves = moves_between(tree_->position(), root, table);
  const bool same_game = moves && rules::History(tree_->position(), *moves, tree_->past()) == past;
  if (same_game && moves->empty()) return;
  policy_.forget();
  if (!same_game) {
    tree_->reset(root, past);
  } else {
    for (const rules::Move move : *moves) tree_->advance(move, search_.reuse_tree);
  }
}

void TreeEngine::start(const tactics::SearchLimits& limits, Listener listener) {
  if (controller_.joinable()) controller_.join();
  limits_ = limits;
  listener_ = std::move(listener);
  began_ = started_ = reported_ = SteadyClock::now();
  pondering_ = limits.ponder;
  stopping_ = false;
  running_ = true;
  error_ = nullptr;
  threads_ = options_.threads;
  told_ = {};
  try {
    controller_ = std::jthread([this] { control(); });
  } catch (const std::system_error&) {
    running_ = false;
    throw;
  }
}

void TreeEngine::stop() {
  stopping_ = true;
  const std::lock_guard lock(mutex_);
  changed_.notify_all();
}

void TreeEngine::ponder_hit() {
  const std::lock_guard lock(mutex_);
  pondering_ = false;
  began_ = SteadyClock::now();
  changed_.notify_all();
}

void TreeEngine::wait() {
  if (controller_.joinable()) controller_.join();
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

// Whether a tablebase knows the root: then says what it knows, and nothing is searched.
bool TreeEngine::control_known() try {
  auto known = known_ending(options_.tablebase.get(), tree_->position(), tree_->table(),
                            tree_->past(), limits_);
  if (!known) return false;
  tell_known(std::move(*known), listener_, [this] {
    const std::lock_guard lock(mutex_);
    return !stopping_ && waiting_for_stop();
  });
  return true;
} catch (...) {
  error_ = std::current_exception();
  return true;
}

void TreeEngine::control() {
  if (control_known()) {
    running_ = false;
    return;
  }
  // What was searched of some moves alone says little of all, nor the other way round.
  const bool restricted = !limits_.search_moves.empty();
  if (std::exchange(restricted_, restricted) || restricted) forget_tree();
  policy_.restrict_to(limits_.search_moves);
  team_.reset();
  visits_before_ = tree_->root().visits;
  std::vector<std::jthread> workers;
  try {
    expand_root();
    team_.emplace(*tree_, policy_, &cache_, options_.threads, batch_, stopping_);
    start_workers(workers);
    std::unique_lock lock(mutex_);
    while (!wake(lock)) {
    }
  } catch (...) {
    const std::lock_guard lock(mutex_);
    error_ = std::current_exception();
  }
  stopping_ = true;
  workers.clear();
  try {
    report(true);
  } catch (...) {
    if (!error_) error_ = std::current_exception();
    tactics::SearchReport known;
    known.threads = threads_;
    report_failure(listener_, std::move(known), tree_->position(), limits_, error_);
  }
  if (error_) forget_tree();  // walks may be in flight
  running_ = false;
}

// The first visit is one thread's work; the root's priors are prepared behind it.
void TreeEngine::expand_root() {
  tree_->set_visit_limit(0);
  const RootOptions options{
      .simulations = static_cast<int>(std::min<std::uint64_t>(limits_.nodes, 1u << 30)),
      .need_value = true,
      .need_all = limits_.multi_pv > 1 || !limits_.search_moves.empty()};
  if (options.need_all) tree_->open_root();
  policy_.prepare(*tree_, options, rng_);
  if (!tree_->root().expanded() && !tree_->root().bounds.proven()) {
    if (tree_->needs_recycling()) tree_->recycle(stopping_);
    Collector().visit_root(*tree_, policy_, *evaluators_[0], {.cache = &cache_});
    policy_.prepare(*tree_, options, rng_);
  }
  if (!limits_.ponder) tree_->set_visit_limit(limits_.nodes);
  const double overhead = options_.move_overhead_ms;
  if (limits_.clock) {
    budget_ = allot(*limits_.clock, static_cast<double>(tree_->root().moves_left), overhead);
  }
  if (limits_.move_time_ms) {
    budget_.hard_ms = budget_.soft_ms = std::max(1.0, *limits_.move_time_ms - overhead);
  }
}

// Starts a thread for each evaluator, or fewer where the machine gives no more; throws where it
// gives none.
void TreeEngine::start_workers(std::vector<std::jthread>& workers) try {
  active_ = threads_ = options_.threads;
  for (const auto& evaluator : evaluators_) workers.emplace_back([&] { work(*evaluator); });
} catch (const std::system_error&) {
  threads_ = static_cast<int>(workers.size());
  active_ -= options_.threads - threads_;
  if (threads_ == 0) throw;
}

void TreeEngine::work(Evaluator& evaluator) {
  try {
    team_->work(evaluator);
  } catch (...) {
    const std::lock_guard lock(mutex_);
    error_ = std::current_exception();
    stopping_ = true;
  }
  const std::lock_guard lock(mutex_);
  if (--active_ == 0) changed_.notify_all();
}

// Waits a little, reports where it is time to. True when the search is over.
bool TreeEngine::wake(std::unique_lock<std::mutex>& lock) {
  changed_.wait_for(lock, kPoll);
  if (stopping_) return true;
  if (limits_.ponder && !pondering_) {
    const Team::Pause pause(*team_);
    limits_.ponder = !pause.held();
    if (pause.held()) tree_->set_visit_limit(limits_.nodes);
  }
  if (!waiting_for_stop() && (active_ == 0 || out_of_time() || deep_enough())) return true;
  const SteadyClock::time_point now = SteadyClock::now();
  if (now - reported_ >= kReportAtMost) {
    lock.unlock();
    report(false);
    lock.lock();
  }
  return false;
}

bool TreeEngine::out_of_time() {
  if (!limits_.clock && !limits_.move_time_ms) return false;
  const double elapsed = base::ms_since(began_);
  if (elapsed + static_cast<double>(kPoll.count()) / 2 >= budget_.hard_ms) return true;
  return limits_.clock && !limits_.move_time_ms && settled_on_a_move(budget_.hard_ms - elapsed);
}

// Whether the rest of the time, at the speed so far, is not likely to change the move.
bool TreeEngine::settled_on_a_move(double remaining_ms) {
  const Team::Pause pause(*team_);
  if (!pause.held()) return false;
  const Node& root = tree_->root();
  if (root.move_count == 1) return true;
  std::uint32_t first = 0, second = 0;
  float value = -2, best_value = -2;
  for (std::size_t i = 0; i < root.edge_count; ++i) {
    const Edge& edge = tree_->edges(root)[i];
    if (edge.pruned() || !policy_.allowed(i)) continue;
    const float q = seen_by(edge.value_white, root.side_to_move);
    best_value = std::max(best_value, q);
    if (edge.visits > first) {
      second = std::exchange(first, edge.visits);
      value = q;
    } else {
      second = std::max(second, edge.visits);
    }
  }
  const double elapsed = base::ms_since(began_);
  const double soft_left = std::max(0.0, budget_.soft_ms - elapsed);
  const double speed = (root.visits - visits_before_) / std::max(1.0, base::ms_since(started_));
  const double lead = static_cast<double>(first) - second;
  // While another move is worth more, it goes on, beyond the soft budget too.
  return value >= best_value &&
         (soft_left == 0 || lead > speed * std::min(soft_left, remaining_ms));
}

bool TreeEngine::deep_enough() {
  if (limits_.depth == 0) return false;
  const Team::Pause pause(*team_);
  if (!pause.held()) return false;
  const MainLine line = main_line(*tree_, policy_);
  if (line.moves.size() >= static_cast<std::size_t>(limits_.depth)) return true;
  // A line whose end is known may never grow.
  constexpr std::uint32_t kSettled = 10000;  // visits
  return line.exact && tree_->root().visits >= kSettled;
}

void TreeEngine::report(bool final) {
  tactics::SearchReport r;
  r.final = final;
  r.threads = threads_;
  if (final && error_) r.error = message_of(error_);
  {
    std::optional<Team::Pause> pause;
    if (team_) pause.emplace(*team_);
    if (pause && !pause->held()) return;
    r.moves = root_moves(*tree_, policy_);
    r.nodes = tree_->root().visits;
    r.tablebase_hits = tree_->tablebase_hits();
    if (team_) r.selective_depth = team_->depth();
  }
  const SteadyClock::time_point now = SteadyClock::now();
  const std::vector<rules::Move>& only = limits_.search_moves;
  std::erase_if(r.moves, [&only](const RootMove& m) {
    return !only.empty() && std::ranges::find(only, m.move) == only.end();
  });
  if (r.moves.empty()) return;
  const RootMove& best = r.moves.front();
  r.depth = static_cast<int>(best.line.size());
  r.selective_depth = std::max(r.selective_depth, r.depth);
  const std::pair<rules::Move, std::size_t> told(best.move, best.line.size());
  if (!final && told == told_ && now - reported_ < kReportAtLeast) return;
  told_ = told;
  reported_ = now;
  r.elapsed_ms = base::ms_since(started_);
  r.nodes_per_s =
      static_cast<double>(r.nodes - visits_before_) / std::max(r.elapsed_ms / 1000, 1e-6);
  r.points_white =
      rules::points_white(static_cast<double>(best.value_stm), tree_->position().side_to_move());
  if (listener_) listener_(r);
}

}  // namespace engine
