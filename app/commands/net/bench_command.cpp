#include "app/command.h"

#ifdef SHARPZERO_NET
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/machine.h"
#include "app/named/networks.h"
#include "app/named/paths.h"
#include "app/protocols/analysis_bench.h"
#include "base/cpu_level.h"
#include "base/stopwatch.h"
#include "mcts/tree_bench.h"
#include "nn/device.h"
#include "nn/nnue_file.h"
#include "rules/perft.h"
#include "tactics/alphabeta.h"
#include "tactics/alphabeta_bench.h"
#include "training/bench/training_bench.h"
#include "training/settings/night_plan.h"
#endif

namespace app {
namespace {

// What the help says of the figures.
constexpr const char* kFigures =
    R"(The signature depends on the search's behaviour alone, not on speed or threads. Speeds are a
second's: perft_nps leaves (every one made), perft_bulk_nps leaves (the last ply counted),
search_nps visits of one tree with the hash evaluator, nnue_evals_per_s the NNUE that comes along
on one thread, alphabeta_nps nodes of the search by it, forward_evals_per_s the network alone
with its best batch, in the precision that plays and in each that this machine can
(plain: as it is trained), selfplay_evals_per_s inside games (selfplay_efficiency: their ratio;
selfplay_evals_per_move: what a move costs after what the tree, the cache and exact leaves save),
train_positions_per_s the learner.
search_one_thread_nps is one tree on one thread,
search_games_nps many games on all threads, search_games_scaling that over one thread's.
beside plays games and learns at the same time on a --device other than cpu: beside_evals_per_s and
beside_positions_per_s, and alone_evals_per_s and alone_positions_per_s of each without the other.
pipeline runs four generations of the preset's loop on a --device other than cpu and measures the
last three: device_busy_games, _learning, _matches and _all are the fractions of the time in which
the device had work, cores_busy (_games, ...) those of the threads that ran, device_awaited those
that waited for the device; what is left waited for other threads or for a core.
analyse searches 1,000 positions by the NNUE that comes along (10,000 nodes each) and 200 by the
residual network (64 visits each) as `analyse` does: analyse_nps, analyse_tree_nps, and
analyse_of_direct, analyse_tree_of_direct, these over the speed of the same searches alone.)";

struct Bench final : Command {
  std::string what = option(
      what,
      CommandOption(
          "what", "",
          "search, nnue, forward, selfplay, train, all (of these, and of beside on a device), "
          "analyse, beside or pipeline")
          .one_of({"search", "nnue", "forward", "selfplay", "train", "all", "analyse", "beside",
                   "pipeline"}),
      "all");
  std::string preset = option(
      preset, {"--preset", "NAME", "whose network and settings: configs/NAME.toml"}, "quick");
  std::vector<std::string> set = option(set, set_option());
  std::optional<int> positions_per_s =
      option(positions_per_s,
             {"--positions-per-s", "N",
              "most positions a second that beside learns beside games (default: no limit)"});

  Bench() : Command("bench", "the program's signature and its speeds here", kFigures) {}
  int run(const CommonOptions&) const SHARPZERO_IN_NET;
};

#ifdef SHARPZERO_NET

// The many-games figures of bench_search.
constexpr int kGamesInThread = 64;
constexpr int kSimulations = 100;

// Leaves a second from the start position, measured for at least half a second.
double perft_speed(int depth, bool bulk) {
  const auto begin = std::chrono::steady_clock::now();
  std::uint64_t leaves = 0;
  double seconds = 0;
  while (seconds < 0.5) {
    leaves += rules::perft(rules::Position::start(), depth, {.bulk = bulk});
    seconds = base::seconds_since(begin);
  }
  return static_cast<double>(leaves) / seconds;
}

void bench_search(const Bench& asked, int threads, nlohmann::ordered_json& out) {
  if (asked.what != "search" && asked.what != "all") return;
  out["perft_nps"] = perft_speed(4, false);
  out["perft_bulk_nps"] = perft_speed(5, true);
  out["search_nps"] = mcts::bench_one_tree({.threads = threads});
  out["search_one_thread_nps"] = mcts::bench_one_tree({});
  const auto games = [](int many) {
    return mcts::bench_many_games({.threads = many}, kGamesInThread, kSimulations);
  };
  const double alone = games(1);
  out["search_games_nps"] = games(threads);
  out["search_games_scaling"] = out["search_games_nps"].get<double>() / alone;
}

// The tree's positions are fewer, for each takes longer.
void bench_analyse(int threads, nlohmann::ordered_json& out) {
  const auto add = [&](const std::string& name, const AnalysisSpeed& speed) {
    out[name + "_nps"] = speed.nodes_per_s;
    out[name + "_of_direct"] = speed.of_direct;
  };
  constexpr std::uint64_t kNodes = 10000, kVisits = 64;
  CommonOptions common;
  const auto backend_of = [&](const std::filesystem::path& net) {
    return load_for_rules(common, common.rule_set(), net.string(), {});
  };
  const auto weights = nn::weights_to_play(nn::load_nnue(default_nnue()).weights);
  const auto alpha_beta = [&]() -> SearchAlone {
    const auto search =
        std::make_shared<tactics::AlphaBetaSearch>(tactics::Evaluator(weights), 1, kBenchHashMib);
    return [search](const rules::Position& position) {
      search->clear();
      return search->search(position, {}, {}, {.nodes = kNodes}).nodes;
    };
  };
  add("analyse", bench_analysis(backend_of(default_nnue()), alpha_beta, threads, 1000, kNodes));
  const Backend network = backend_of(default_network());
  const auto tree = [&]() -> SearchAlone {
    const std::shared_ptr<engine::Engine> engine =
        network.make_engine({.threads = 1, .hash_mib = kBenchHashMib, .move_overhead_ms = 0});
    return [engine](const rules::Position& position) {
      std::uint64_t nodes = 0;
      engine->clear();
      engine->set_position(position, {}, {});
      engine->start({.nodes = kVisits}, [&](const auto& report) { nodes = report.nodes; });
      engine->wait();
      return nodes;
    };
  };
  add("analyse_tree", bench_analysis(network, tree, threads, 200, kVisits));
}

// Null where it is not a number.
nlohmann::ordered_json measured(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json();
}

std::string text_of(const nlohmann::ordered_json& value) {
  if (value.is_null()) return "not measured: too slow";
  if (value.is_number_float()) return fmt::format("{:.4g}", value.get<double>());
  return value.is_string() ? value.get<std::string>() : value.dump();
}

void add_forward(const training::ForwardSpeeds& speeds, nlohmann::ordered_json& out) {
  out["forward_evals_per_s"] = speeds.playing.evals_per_s;
  out["forward_batch"] = speeds.playing.batch;
  out["forward_precision"] = speeds.playing.form;
  for (const training::ForwardSpeed& form : speeds.forms) {
    out["forward_" + form.form + "_evals_per_s"] = form.evals_per_s;
    nlohmann::ordered_json& by_batch = out["forward_" + form.form + "_by_batch"];
    for (const auto& [batch, speed] : form.by_batch) by_batch[std::to_string(batch)] = speed;
  }
}

int Bench::run(const CommonOptions& common) const {
  training::BenchSettings settings;
  settings.config = training::load_config(preset_file(preset), common.config_changes(set));
  settings.device = nn::resolve_device(common.device);
  settings.threads = threads(common);
  const auto wanted = [&](const char* part) { return what == part || what == "all"; };

  nlohmann::ordered_json out{
      {"signature", fmt::format("{:016x}", mcts::signature())},
      {"alphabeta_signature", fmt::format("{:016x}", tactics::alphabeta_signature())},
      {"cpu_level", base::name(base::cpu_level())}};
  bench_search(*this, settings.threads, out);
  if (wanted("nnue")) {
    const tactics::NnueSpeed speed =
        tactics::bench_nnue(nn::weights_to_play(nn::load_nnue(default_nnue()).weights));
    out["nnue_evals_per_s"] = speed.evals_per_s;
    out["alphabeta_nps"] = speed.nodes_per_s;
  }
  if (wanted("forward")) {
    add_forward(training::bench_forward(settings), out);
  }
  if (wanted("selfplay")) {
    const training::SelfPlaySpeed speed = training::bench_selfplay(settings);
    out["selfplay_evals_per_s"] = speed.evals_per_s;
    out["selfplay_games_per_h"] = measured(speed.games_per_h);
    out["selfplay_moves_per_s"] = measured(speed.moves_per_s);
    out["selfplay_evals_per_move"] = measured(speed.evals_per_s / speed.moves_per_s);
    out["selfplay_efficiency"] = speed.efficiency;
  }
  if (wanted("train")) {
    out["train_positions_per_s"] = training::bench_train(settings);
  }
  if (what == "analyse") bench_analyse(settings.threads, out);
  if (what == "beside" || (what == "all" && settings.device != "cpu")) {
    if (positions_per_s) settings.positions_per_s = *positions_per_s;
    const training::BesideSpeed speed = training::bench_beside(settings);
    out["beside_evals_per_s"] = speed.evals_per_s;
    out["alone_evals_per_s"] = speed.alone_evals_per_s;
    out["beside_positions_per_s"] = speed.positions_per_s;
    out["alone_positions_per_s"] = speed.alone_positions_per_s;
  }
  if (what == "pipeline") {
    for (const auto& [key, value] : training::bench_pipeline(settings)) out[key] = value;
  }
  out["device"] = settings.device;
  out["threads"] = settings.threads;
  out["net"] = fmt::format("{}: {}", preset, training::size_of(settings.config.network));
  std::string text;
  for (const auto& [key, value] : out.items()) {
    text += fmt::format("{:<28}{}\n", key, text_of(value));
  }
  return print(common, out, text, 2);
}

#endif  // SHARPZERO_NET

}  // namespace

std::unique_ptr<Command> bench_command() { return std::make_unique<Bench>(); }

}  // namespace app
