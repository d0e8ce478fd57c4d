#include "app/protocols/analysis.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <span>

#include "app/protocols/analysis_json.h"
#include "base/errors.h"
#include "base/stopwatch.h"
#include "base/text.h"
#include "base/threads.h"

namespace app {
namespace {

using nlohmann::ordered_json;
using SteadyClock = std::chrono::steady_clock;

constexpr std::size_t kMostEngines = 2;  // that a worker keeps: it may change between rule sets
constexpr std::size_t kMostWaiting = 100000;  // positions; then no line is read for a while
constexpr std::chrono::hours kNoReport{24};
constexpr double kClock = 10;  // milliseconds by which a search may end before its time

ordered_json refusal_json(const AnalysisRefusal& refusal, long line) {
  ordered_json json;
  if (refusal.id) json["id"] = *refusal.id;
  json["error"] = refusal.what();
  json["field"] = refusal.field.empty() ? ordered_json() : ordered_json(refusal.field);
  json["line"] = line;
  return json;
}

// What has ended a search.
const char* end_of(const tactics::SearchReport& report, const tactics::SearchLimits& limits,
                   bool terminated) {
  if (terminated) return "terminated";
  if (limits.nodes > 0 && report.nodes >= limits.nodes) return "nodes";
  if (limits.depth > 0 && report.depth >= limits.depth) return "depth";
  if (report.best().proven) return "proven";
  return limits.move_time_ms && report.elapsed_ms + kClock >= *limits.move_time_ms ? "seconds"
                                                                                   : "depth";
}

ordered_json id_and_ply(const AnalysisRequest& request, std::size_t ply) {
  return {{"id", request.id}, {"ply", ply}};
}

}  // namespace

Analysis::Analysis(const AnalysisSettings& settings, LoadBackendFor load, std::istream& in,
                   std::ostream& out)
    : settings_(settings), backends_(std::move(load)), in_(in), out_(out) {
  for (int i = 0; i < settings_.threads; ++i) workers_.push_back(std::make_unique<Worker>());
}

Analysis::~Analysis() = default;

void Analysis::run() {
  base::Threads threads;
  for (const auto& worker : workers_) threads.start([this, &worker] { work(*worker); });
  {
    const struct End {  // lets the workers end, whatever is thrown here
      Analysis& all;
      ~End() {
        const std::lock_guard lock(all.mutex_);
        all.input_ended_ = true;
        all.changed_.notify_all();
      }
    } end_at_exit{*this};
    std::string line;
    for (long number = 1; !output_lost_ && base::read_line(in_, line); ++number) {
      take_line(line, number);
    }
  }
  threads.join();
  if (in_.bad()) throw base::EnvironmentError("cannot read standard input");
  if (!failure_.empty()) throw base::EnvironmentError("a search failed: " + failure_);
}

void Analysis::take_line(const std::string& line, long number) {
  if (line.find_first_not_of(" \t") == std::string::npos) return;
  try {
    auto asked = read_analysis(line, settings_.defaults);
    if (const auto* const action = std::get_if<AnalysisAction>(&asked)) return act(*action);
    enqueue(std::move(std::get<AnalysisRequest>(asked)));
  } catch (const AnalysisRefusal& refusal) {
    ordered_json json = refusal_json(refusal, number);
    if (in_.eof()) json["error"] = refusal.what() + std::string(" (the input ends in this line)");
    say(json);
  } catch (const std::exception& error) {  // memory, or a network that cannot be loaded
    say(refusal_json(AnalysisRefusal("", base::first_line(error.what())), number));
  }
}

void Analysis::enqueue(AnalysisRequest asked) {
  const auto request = std::make_shared<const AnalysisRequest>(std::move(asked));
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return waiting_.size() < kMostWaiting || output_lost_; });
    if (open_.contains(request->id)) {
      AnalysisRefusal refusal("id", "id: expected one that no request has which is not answered");
      refusal.id = request->id;
      throw refusal;
    }
    open_[request->id] = request->positions.size();
    for (const AskedPosition& each : request->positions) {
      waiting_[{-request->priority, arrived_++}] = {request, each};
    }
  }
  changed_.notify_all();
}

void Analysis::act(const AnalysisAction& action) {
  ordered_json json{{"id", action.id}};
  switch (action.kind) {
    case AnalysisAction::Kind::kTerminate:
      json["action"] = "terminate";
      json["of"] = action.of ? ordered_json(*action.of) : ordered_json();
      json["terminated"] = terminate(action.of);
      break;
    case AnalysisAction::Kind::kClear:
      ++clears_;
      json["action"] = "clear";
      break;
    case AnalysisAction::Kind::kVersion:
      json["action"] = "version";
      json["version"] = SHARPZERO_VERSION;
      json["rules"] = settings_.defaults.rules.name();
      json["network"] = backends_.of({settings_.defaults.rules, ""})->note;
      json["threads"] = settings_.threads;
      break;
  }
  say(json);
}

// Ends what is asked under that id, or all, and returns how many positions that are. Those that
// wait are answered now, those under way by their workers.
std::size_t Analysis::terminate(const std::optional<std::string>& of) {
  std::vector<Task> given_up;
  std::size_t count = 0;
  {
    const std::lock_guard lock(mutex_);
    const auto meant = [&of](const auto& request) {
      return request && (!of || request->id == *of);
    };
    std::erase_if(waiting_, [&](const auto& each) {
      if (!meant(each.second.request)) return false;
      given_up.push_back(each.second);
      return true;
    });
    for (const auto& worker : workers_) {
      if (!meant(worker->request)) continue;
      ++count;
      worker->terminated = true;
      if (worker->search != nullptr) worker->search->stop();
    }
  }
  changed_.notify_all();
  for (const Task& task : given_up) {
    close(*task.request);
    ordered_json json = id_and_ply(*task.request, task.asked.ply);
    json.update({{"partial", false}, {"ended", "terminated"}, {"no_result", true}});
    say(json);
  }
  return count + given_up.size();
}

void Analysis::work(Worker& self) {
  while (const auto task = next_task(self)) {
    ordered_json json;
    try {
      json = answer(*task, self);
    } catch (const std::exception& error) {  // memory, threads, the device
      const std::string message = base::first_line(error.what());
      self.engines.clear();
      json = id_and_ply(*task->request, task->asked.ply);
      json.update({{"partial", false}, {"error", message}});
      const std::lock_guard lock(mutex_);
      if (failure_.empty()) failure_ = message;
    }
    {
      const std::lock_guard lock(mutex_);
      self.request.reset();
    }
    close(*task->request);
    say(json);
  }
}

// A worker's search, as terminate() finds it, until the end of the scope.
class Analysis::UnderWay {
 public:
  UnderWay(Analysis& all, Worker& self, PositionSearch& search) : all_(all), self_(self) {
    const std::lock_guard lock(all_.mutex_);
    self_.search = &search;
    if (self_.terminated || all_.output_lost_) search.stop();
  }
  UnderWay(const UnderWay&) = delete;
  UnderWay& operator=(const UnderWay&) = delete;
  ~UnderWay() {
    const std::lock_guard lock(all_.mutex_);
    self_.search = nullptr;
  }
  bool terminated() const {
    const std::lock_guard lock(all_.mutex_);
    return self_.terminated;
  }

 private:
  Analysis& all_;
  Worker& self_;
};

// Waits for a position; empty at the end.
std::optional<Analysis::Task> Analysis::next_task(Worker& self) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !waiting_.empty() || input_ended_ || output_lost_; });
  if (waiting_.empty() || output_lost_) return std::nullopt;
  Task task = std::move(waiting_.extract(waiting_.begin()).mapped());
  self.request = task.request;
  self.terminated = false;
  if (waiting_.size() + 1 == kMostWaiting) changed_.notify_all();
  return task;
}

ordered_json Analysis::answer(const Task& task, Worker& self) {
  const AnalysisRequest& request = *task.request;
  const rules::Line line(request.game.start, std::span(request.game.moves).first(task.asked.ply));
  ordered_json json = id_and_ply(request, task.asked.ply);
  json["partial"] = false;
  json["fen"] = line.position.to_fen();
  json["side_to_move"] = line.position.side_to_move() == rules::Color::kWhite ? "w" : "b";
  const auto ended = line.outcome(request.table);
  json["outcome"] = ended ? rules::name(*ended) : "ongoing";
  if (!ended) return search(task, line, std::move(json), self);
  json["ended"] = "rules";
  json.update(evaluation_json(evaluation_of(*ended, request.table)));
  json["lines"] = ordered_json::array();
  return json;
}

// `head`: what the answer begins with.
ordered_json Analysis::search(const Task& task, const rules::Line& line, ordered_json head,
                              Worker& self) {
  const AnalysisRequest& request = *task.request;
  KeptEngine& kept = engine_for(request.rules, self);
  tactics::SearchLimits limits = request.limits;
  limits.search_moves = task.asked.moves;
  const auto began = SteadyClock::now();
  PositionSearch search(*kept.engine, line, request.table, limits);
  const UnderWay under_way(*this, self, search);
  const auto json_of = [&](const tactics::SearchReport& report) {
    ordered_json json = head;
    json["seconds"] = base::seconds_since(began);
    json.update(report_json(report, line.position, limits.multi_pv, counts_visits(*kept.backend)));
    return json;
  };
  const auto every = std::chrono::duration_cast<SteadyClock::duration>(
      request.report_every ? std::chrono::duration<double>(*request.report_every) : kNoReport);
  std::optional<tactics::SearchReport> known;
  for (auto next = began + every; !known || !known->final;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(next - SteadyClock::now());
    if (auto report = search.take(std::max(left, std::chrono::milliseconds(0)))) {
      known = std::move(report);
    }
    if (SteadyClock::now() < next || (known && known->final)) continue;
    next = SteadyClock::now() + every;
    if (!known || known->moves.empty()) continue;
    ordered_json partial = json_of(*known);
    partial["partial"] = true;
    say(partial);
  }
  const tactics::SearchReport found = search.finish();
  head["ended"] = end_of(found, limits, under_way.terminated());
  return json_of(found);
}

// The engine that searches positions of the rule set on this worker, as if it was new unless the
// settings say otherwise.
Analysis::KeptEngine& Analysis::engine_for(rules::RuleSet rules, Worker& self) {
  const Opponent opponent{rules, ""};
  auto& all = self.engines;
  const auto known = std::ranges::find(all, Backends::key(opponent), &KeptEngine::key);
  if (known == all.end()) {
    if (all.size() == kMostEngines) all.pop_back();
    KeptEngine made{Backends::key(opponent), backends_.of(opponent), nullptr};
    const EngineOptions options{.threads = 1,
                                .hash_mib = std::max(1, settings_.hash_mib / settings_.threads),
                                .move_overhead_ms = 0};
    made.engine = made.backend->make_engine(options);
    const std::string note = memory_note(*made.engine, options);
    if (!note.empty() && !told_of_memory_.exchange(true)) spdlog::warn("a thread's {}", note);
    all.insert(all.begin(), std::move(made));
  } else {
    std::rotate(all.begin(), known, known + 1);
  }
  KeptEngine& kept = all.front();
  const std::uint64_t clears = clears_;
  const bool clear = !settings_.keeps_memory || kept.cleared != clears;
  if (std::exchange(kept.used, true) && clear) kept.engine->clear();
  kept.cleared = clears;
  return kept;
}

// Before the answer is written, so that whoever has read it may use the id again.
void Analysis::close(const AnalysisRequest& request) {
  const std::lock_guard lock(mutex_);
  const auto open = open_.find(request.id);
  if (--open->second == 0) open_.erase(open);
}

void Analysis::say(const ordered_json& json) {
  const std::string line =
      json.dump(-1, ' ', /*ensure_ascii=*/false, ordered_json::error_handler_t::replace) + "\n";
  {
    const std::lock_guard lock(out_mutex_);
    out_ << line << std::flush;
    if (out_) return;
  }
  const std::lock_guard lock(mutex_);
  output_lost_ = true;
  for (const auto& worker : workers_) {
    if (worker->search != nullptr) worker->search->stop();
  }
  changed_.notify_all();
}

}  // namespace app
