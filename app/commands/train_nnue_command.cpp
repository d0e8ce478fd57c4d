#include "app/command.h"
#include "training/settings/nnue_config.h"
#include "training/settings/options.h"

#ifdef SHARPZERO_NET
#include <iostream>

#include "app/machine.h"
#include "app/progress.h"
#include "base/errors.h"
#include "nn/nnue_file.h"
#include "training/run/nnue_run.h"
#endif

namespace app {
namespace {

struct TrainNnue final : Command {
  std::string folder =
      option(folder,
             {"--run", "DIR",
              "run folder; an existing run is resumed. The evaluator is DIR/nnue.safetensors: a "
              "player of `match`, a --net of `uci` and `play`"},
             "runs/nnue");
  std::vector<std::string> set = option(set, set_option());
  std::optional<double> max_seconds = option(
      max_seconds, {"--max-time", "TIME",
                    "how long this start may work: 2h, 90m (the last 15 % anneal the rate)"});
  std::optional<int> generations =
      option(generations, {"--generations", "N", "generations of the whole run"});

  TrainNnue()
      : Command("train-nnue",
                "learn an NNUE for alpha-beta search from games that it plays against itself",
                keys(), true) {}
  int run(const CommonOptions&) const SHARPZERO_IN_NET;

 private:
  static std::string keys() {
    training::NnueRunConfig config;
    selfplay::SelfPlayConfig openings;
    return "Keys of --set:\n\n" +
           training::print_options(training::nnue_options(config, openings), true);
  }
};

#ifdef SHARPZERO_NET

int TrainNnue::run(const CommonOptions& common) const {
  training::NnueRunConfig config;
  training::NnueRunOptions run;
  auto settings = training::nnue_options(config, run.openings);
  for (const std::string& change : set) training::set_option(change, settings);
  run.folder = folder;
  run.rules = common.rule_set();
  if (run.rules.entry == rules::Entry::kCard) {
    throw base::InputError(
        "train-nnue: --rules " + run.rules.name() +
        ": expected a rule set without cards, for alpha-beta search knows no chance");
  }
  run.seed = common.seed.value_or(1);
  run.threads = threads(common);
  run.max_seconds = max_seconds.value_or(0);
  run.generations = generations.value_or(0);
  run.stop = &stop_flag();
  Progress progress;
  run.progress = [&progress](const std::string& text) { progress.show(text); };
  training::run_nnue(config, run);
  if (stop_flag()) {
    std::cerr << "stopped; run the same command to continue\n";
    return kInterrupted;
  }
  std::cerr << (run.folder / nn::kNnueFile).string() << "\n";
  return kDone;
}

#endif  // SHARPZERO_NET

}  // namespace

std::unique_ptr<Command> train_nnue_command() { return std::make_unique<TrainNnue>(); }

}  // namespace app
