#include "app/play/backend.h"

#include <fmt/format.h>

#include <filesystem>
#include <vector>

#include "app/machine.h"
#include "app/named/networks.h"
#include "app/named/players.h"
#include "arena/network_player.h"
#include "base/errors.h"
#include "engine/alphabeta_engine.h"
#include "nn/nnue_file.h"
#include "nn/torch_threads.h"
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

Backend load_tree(const fs::path& where, const CommonOptions& options) {
  nn::NetworkFile network = nn::load_network(where);
  take_rules(network, where.string(), options.rule_set());
  options.need_net();
  const std::string device = app::device(options);
  const int batch = arena::one_tree_batch(device);
  const nn::PlayingNetwork playing = arena::playing_network(network, device, batch);
  Backend backend;
  backend.note = fmt::format(
      "network {} for {} ({} blocks of {} channels, generation {}, {} on {})", where.string(),
      network.repertoire.title(), network.config.blocks, network.config.channels,
      network.generation, nn::name(playing.options().precision), device);
  backend.make_engine = tree_engine(
      [playing] {
        return std::make_unique<OneThreadEvaluator>(
            std::make_unique<selfplay::NetworkEvaluator>(playing));
      },
      batch);
  return backend;
}

Backend load_alphabeta(const fs::path& where, rules::RuleSet rules) {
  nn::NnueFile nnue = nn::load_nnue(where);
  take_rules(nnue, where.string(), rules);
  Backend backend;
  backend.levels = levels_of(where, rules);
  backend.note = fmt::format("NNUE {} for {} (generation {}), alpha-beta search", where.string(),
                             nnue.repertoire.title(), nnue.generation);
  backend.make_engine = [weights = nn::weights_to_play(nnue.weights)](const EngineOptions& asked) {
    return std::make_unique<engine::AlphaBetaEngine>(weights, asked);
  };
  return backend;
}

Backend load(const fs::path& where, const CommonOptions& options) {
  return nn::is_nnue(where) ? load_alphabeta(where, options.rule_set()) : load_tree(where, options);
}

// How to play the networks but that one, in one line; empty where there are none.
std::string others(const std::vector<ListedNetwork>& all, const ListedNetwork& taken) {
  constexpr int kMost = 6;
  std::string text;
  int named = 0;
  for (const ListedNetwork& one : all) {
    if (one.path == taken.path || named == kMost) continue;
    text += fmt::format("{}--net {}{}", named++ == 0 ? "; others: " : ", ", one.path.string(),
                        one.elo > 0 ? fmt::format(" (Elo {})", one.elo) : "");
  }
  return text;
}

// The first of the networks that can be loaded and plays the rule set, else none: search alone. The
// note names the others, and what was passed over.
Backend load_first(const std::vector<ListedNetwork>& candidates, const CommonOptions& options) {
  std::string passed_over;
  for (const ListedNetwork& candidate : candidates) {
    try {
      Backend backend = load(candidate.path, options);
      backend.note += others(candidates, candidate) + passed_over;
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

LoadBackend backend_loader(const CommonOptions& options, std::vector<ListedNetwork> defaults) {
  return [options, defaults = std::move(defaults)](const std::string& net) {
    device(options);  // one that was named is refused where it cannot be had
    return net.empty() ? load_first(defaults, options) : load(net, options);
  };
}

Backend load_for_rules(const CommonOptions& options, rules::RuleSet rules, const std::string& net,
                       std::vector<ListedNetwork> defaults) {
  CommonOptions there = options;
  there.rules = rules.name();
  try {
    return backend_loader(there, std::move(defaults))(net);
  } catch (const std::runtime_error&) {
    if (rules == options.rule_set()) throw;
    return no_network();
  }
}

}  // namespace app
