#include "app/backend.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "app/paths.h"
#include "app/players.h"
#include "arena/network_player.h"
#include "base/errors.h"
#include "mcts/alphabeta_engine.h"
#include "nn/checkpoint.h"
#include "nn/device.h"
#include "nn/nnue_file.h"
#include "selfplay/network_evaluator.h"

namespace app {
namespace {

namespace fs = std::filesystem;

// Sees to it that whichever thread asks has one LibTorch thread: the search has threads of its own.
class OneThreadEvaluator final : public mcts::Evaluator {
 public:
  explicit OneThreadEvaluator(std::unique_ptr<mcts::Evaluator> inner) : inner_(std::move(inner)) {}
  void evaluate(mcts::LeafBatch& batch) override {
    thread_local const bool set = (nn::use_one_torch_thread(), true);
    static_cast<void>(set);
    inner_->evaluate(batch);
  }

 private:
  std::unique_ptr<mcts::Evaluator> inner_;
};

Backend load_tree(const fs::path& where, const std::string& device, rules::RuleSet rules) {
  const nn::NetworkFile network = nn::load_network(where);
  require_rules(network.repertoire, where.string(), rules);
  const int batch = arena::one_tree_batch(device);
  const nn::PlayingNetwork playing = arena::playing_network(network, device, batch);
  Backend backend;
  backend.note = fmt::format(
      "network {} for {} ({} blocks of {} channels, generation {}, {} on {})", where.string(),
      network.repertoire.name(), network.config.blocks, network.config.channels, network.generation,
      nn::name(playing.options().precision), device);
  backend.make_engine = tree_engine(
      [playing] {
        return std::make_unique<OneThreadEvaluator>(
            std::make_unique<selfplay::NetworkEvaluator>(playing));
      },
      batch);
  return backend;
}

bool comes_along(const fs::path& nnue) try {
  std::error_code unreadable;
  return fs::equivalent(nnue, default_nnue(), unreadable);
} catch (const base::InputError&) {  // none does
  return false;
}

// The levels were rated with the NNUE that comes along, before its last training, at Chess#.
PlayLevels alphabeta_levels(const fs::path& where, rules::RuleSet rules) {
  PlayLevels levels = kAlphaBetaLevels;
  if (rules.id() == 0 && comes_along(where)) return levels;
  for (PlayLevel& level : levels.all) level.elo = 0;
  return levels;
}

Backend load_alphabeta(const fs::path& where, rules::RuleSet rules) {
  const nn::NnueFile nnue = nn::load_nnue(where);
  require_rules(nnue.repertoire, where.string(), rules);
  Backend backend;
  backend.levels = alphabeta_levels(where, rules);
  backend.note = fmt::format("NNUE {} for {} (generation {}), alpha-beta search", where.string(),
                             nnue.repertoire.name(), nnue.generation);
  backend.make_engine = [weights = std::shared_ptr<const tactics::NnueWeights>(
                             nn::quantize(nnue.weights))](const EngineOptions& asked) {
    return std::make_unique<mcts::AlphaBetaEngine>(
        weights, mcts::AlphaBetaOptions{asked.threads, asked.hash_mib, asked.move_overhead_ms});
  };
  return backend;
}

Backend load(const fs::path& where, const std::string& device, rules::RuleSet rules) {
  return nn::is_nnue(where) ? load_alphabeta(where, rules) : load_tree(where, device, rules);
}

// What the runs in runs/ have learned last, the newest first.
std::vector<fs::path> networks_of_runs() {
  std::vector<fs::path> newest;
  std::error_code error;
  for (const auto& run : fs::directory_iterator("runs", error)) {
    try {
      const auto checkpoints = nn::list_checkpoints(run.path());
      if (!checkpoints.empty()) newest.push_back(checkpoints.back());
    } catch (const fs::filesystem_error&) {  // not ours to read
    }
    std::error_code unreadable;
    const fs::path nnue = run.path() / nn::kNnueFile;
    if (fs::exists(nnue, unreadable)) newest.push_back(nnue);
  }
  std::ranges::sort(newest, std::ranges::greater(), [](const fs::path& network) {
    std::error_code unreadable;
    return fs::last_write_time(network, unreadable);
  });
  return newest;
}

Backend load_default(const std::string& device, rules::RuleSet rules) {
  std::vector<fs::path> candidates = networks_of_runs();
  for (const fs::path& network : networks_that_come_along()) candidates.push_back(network);
  std::string passed_over;
  for (const auto& candidate : candidates) {
    try {
      Backend backend = load(candidate, device, rules);
      backend.note += passed_over;
      return backend;
    } catch (const std::runtime_error& error) {
      passed_over += fmt::format("; passed over: {}", error.what());
    }
  }
  Backend none = no_network();
  none.note += passed_over;
  return none;
}

}  // namespace

LoadBackend backend_loader(const CommonOptions& options) {
  return [options](const std::string& net) {
    const std::string device = nn::resolve_device(options.device);
    const rules::RuleSet rules = options.rule_set();
    return net.empty() ? load_default(device, rules) : load(net, device, rules);
  };
}

}  // namespace app
