// Engine: alpha-beta search by an NNUE or by material.

#include <dlfcn.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/filesystem.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <future>
#include <memory>
#include <mutex>
#include <stdexcept>

#include "base/errors.h"
#include "nn/nnue_file.h"
#include "python/src/bindings.h"
#include "python/src/position.h"
#include "tactics/alphabeta.h"

namespace python {
namespace {

namespace fs = std::filesystem;

constexpr const char* kEngineDoc = R"(Alpha-beta search, as the program's ``uci`` plays by an NNUE.

``net``: an NNUE's file, a checkpoint's or a run's folder; None is the one that comes with the
package (Chess#); ``"material"`` counts pieces instead, and plays every rule set without cards.
``threads`` of a search share a table of ``hash_mib`` MiB. One engine searches one position at a
time: threads that ask the same engine wait for each other; engines do not. Raises ValueError where
the file is missing, damaged or no NNUE.)";

constexpr const char* kSearchDoc = R"(Searches a position and returns a Report.

The first limit ends the search: ``nodes`` (positions, of all threads), ``seconds``, ``depth``
(iterations). ``table``: the scoring table to play for; None is the rule set's own. ``lines``: how
many of the best moves are reported. With one thread and no limit of time the answer depends on
nothing but what the engine has searched since it was made or cleared. Other threads of Python run
meanwhile, and Ctrl-C ends it. Raises ValueError without a limit, where the game is over and where
the NNUE does not play the rule set.)";

struct SearchedLine {
  double points_white = 5;
  rules::Outcomes outcomes{};
  std::vector<std::string> moves;
};

struct Report {
  std::vector<SearchedLine> lines;
  std::uint64_t nodes = 0;
  int depth = 0;
  double seconds = 0;

  const SearchedLine& best() const { return lines.front(); }
};

// The NNUE beside the module's file.
fs::path own_net() {
  Dl_info file{};
  static const char kHere = 0;
  if (::dladdr(&kHere, &file) == 0) throw base::EnvironmentError("the package's folder is unknown");
  return fs::path(file.dli_fname).parent_path() / "chess_sharp.safetensors";
}

tactics::SearchLimits limits_of(std::optional<std::uint64_t> nodes, std::optional<double> seconds,
                                std::optional<int> depth, int lines) {
  constexpr double kMostSeconds = 1e6;
  if (!nodes && !seconds && !depth) {
    throw base::InputError("search: expected nodes, seconds or depth");
  }
  if (nodes == 0) throw base::InputError("nodes '0': expected at least 1");
  if (seconds && !(*seconds > 0 && *seconds <= kMostSeconds)) {
    throw base::InputError("seconds '" + std::to_string(*seconds) +
                           "': expected more than 0, at most 1000000");
  }
  tactics::SearchLimits limits;
  limits.nodes = nodes.value_or(0);
  limits.depth = depth ? checked("depth", *depth, 1, 1000) : 0;
  if (seconds) limits.move_time_ms = *seconds * 1000;
  limits.multi_pv = checked("lines", lines, 1, 500);
  return limits;
}

Report report_of(const tactics::SearchReport& found, rules::Color side) {
  if (!found.error.empty()) throw std::runtime_error(found.error);
  Report report{{}, found.nodes, found.depth, found.elapsed_ms / 1000};
  for (const tactics::RootMove& move : found.moves) {
    report.lines.push_back({rules::points_white(static_cast<double>(move.value_stm), side),
                            move.outcomes, uci_of(move.line)});
  }
  return report;
}

class Engine {
 public:
  Engine(const std::optional<fs::path>& net, int threads, int hash_mib)
      : by_material_(net == "material"),
        name_(by_material_ ? "material" : net.value_or(own_net()).string()),
        search_(evaluator(), checked("threads", threads, 1, 4096),
                checked("hash_mib", hash_mib, 1, 65535)) {}

  const std::string& name() const { return name_; }
  std::optional<std::string> rules() const {
    return by_material_ ? std::nullopt : std::optional(repertoire_.name());
  }

  Report search(const GamePosition& position, std::optional<std::uint64_t> nodes,
                std::optional<double> seconds, const TableArgument& table, int lines,
                std::optional<int> depth) {
    const tactics::SearchLimits limits = limits_of(nodes, seconds, depth, lines);
    const rules::Position root = position.now();
    const rules::ScoringTable prices = scoring_table(table, root.rule_set());
    require_searchable(root, prices);
    const rules::History past = position.past();
    std::atomic<bool> stop{false};
    const nb::gil_scoped_release release;
    const std::lock_guard lock(mutex_);
    std::future<tactics::SearchReport> found = std::async(std::launch::async, [&] {
      return search_.search(root, prices, past, limits, {}, {.stop = &stop});
    });
    wait_for(found, stop);
    return report_of(found.get(), root.side_to_move());
  }

  void clear() {
    const nb::gil_scoped_release release;
    const std::lock_guard lock(mutex_);
    search_.clear();
  }

 private:
  // Reads the NNUE, unless material counts.
  tactics::Evaluator evaluator() {
    if (by_material_) return tactics::Evaluator();
    const nn::NnueFile file = nn::load_nnue(name_);
    repertoire_ = file.repertoire;
    return tactics::Evaluator(nn::quantize(file.weights));
  }

  void require_searchable(const rules::Position& root, const rules::ScoringTable& table) const {
    if (root.has_cards()) {
      throw base::InputError("rule set " + root.rule_set().name() +
                             ": expected one without cards, for alpha-beta search knows no chance");
    }
    if (!by_material_ && !repertoire_.contains(root.rule_set())) {
      throw base::InputError(name_ + ": an NNUE for the rule set " + repertoire_.name() +
                             ", expected one for " + root.rule_set().name());
    }
    if (root.forced_outcome(table)) {
      throw base::InputError("position " + root.to_fen() + ": the game is over");
    }
  }

  // Returns when the search has ended. Ctrl-C ends it, and is thrown.
  static void wait_for(const std::future<tactics::SearchReport>& found, std::atomic<bool>& stop) {
    constexpr std::chrono::milliseconds kBetweenLooks(50);
    while (found.wait_for(kBetweenLooks) != std::future_status::ready) {
      const nb::gil_scoped_acquire acquire;
      if (PyErr_CheckSignals() == 0) continue;
      stop = true;
      found.wait();
      throw nb::python_error();
    }
  }

  bool by_material_;
  std::string name_;
  rules::Repertoire repertoire_;
  std::mutex mutex_;  // who searches
  tactics::AlphaBetaSearch search_;
};

void bind_report(nb::module_& m) {
  nb::class_<SearchedLine> line(m, "Line", "One of a search's best moves and what follows it.");
  line.def_ro("points", &SearchedLine::points_white, "White's expected points of ten.");
  line.def_ro("outcomes", &SearchedLine::outcomes,
              "The probabilities of OUTCOMES that are expected behind it.");
  line.def_ro("moves", &SearchedLine::moves, "In UCI, the move itself first.");
  line.def("__repr__", [](nb::handle self) {
    return nb::str("Line({:.2f}, {})").format(self.attr("points"), self.attr("moves"));
  });

  nb::class_<Report> report(m, "Report", "What a search has found.");
  report.def_prop_ro(
      "points", [](const Report& self) { return self.best().points_white; },
      "White's expected points of ten under the table.");
  report.def_prop_ro(
      "outcomes", [](const Report& self) { return self.best().outcomes; },
      "The probabilities of OUTCOMES, Black wins … White wins; their sum is 1.");
  report.def_prop_ro(
      "best", [](const Report& self) { return self.best().moves.front(); },
      "The best move, in UCI.");
  report.def_ro("lines", &Report::lines, "The best moves, the best first.");
  report.def_ro("nodes", &Report::nodes, "Positions searched, of all threads.");
  report.def_ro("depth", &Report::depth, "Iterations finished.");
  report.def_ro("seconds", &Report::seconds, "How long it took.");
  report.def("__repr__", [](nb::handle self) {
    return nb::str("Report(best='{}', points={:.2f}, nodes={})")
        .format(self.attr("best"), self.attr("points"), self.attr("nodes"));
  });
}

}  // namespace

void bind_engine(nb::module_& m) {
  bind_report(m);
  nb::class_<Engine> engine(m, "Engine", kEngineDoc);
  engine.def(nb::init<const std::optional<fs::path>&, int, int>(), "net"_a = nb::none(),
             "threads"_a = 1, "hash_mib"_a = 64);
  engine.def("search", &Engine::search, "position"_a, nb::kw_only(), "nodes"_a = nb::none(),
             "seconds"_a = nb::none(), "table"_a = nb::none(), "lines"_a = 1,
             "depth"_a = nb::none(), kSearchDoc);
  engine.def("clear", &Engine::clear, "Forgets what was searched, as for a new game.");
  engine.def_prop_ro("net", &Engine::name, "The NNUE's file, or \"material\".");
  engine.def_prop_ro("rules", &Engine::rules,
                     "The rule sets that the NNUE plays; None where material counts.");
  engine.def("__repr__", [](const Engine& self) { return "Engine('" + self.name() + "')"; });
}

}  // namespace python
