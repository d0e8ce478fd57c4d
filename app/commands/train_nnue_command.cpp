#include <iostream>

#include "app/commands.h"
#include "app/machine.h"
#include "app/program.h"
#include "app/progress.h"
#include "base/errors.h"
#include "nn/nnue_file.h"
#include "training/run/nnue_run.h"
#include "training/settings/options.h"

namespace app {

int run_train_nnue(const Options& options) {
  const TrainNnueOptions& asked = options.train_nnue;
  training::NnueRunConfig config;
  training::NnueRunOptions run;
  auto settings = training::nnue_options(config, run.openings);
  for (const std::string& change : asked.set) training::set_option(change, settings);
  run.folder = asked.run;
  run.rules = options.common.rule_set();
  if (run.rules.entry == rules::Entry::kCard) {
    throw base::InputError(
        "train-nnue: --rules " + run.rules.name() +
        ": expected a rule set without cards, for alpha-beta search knows no chance");
  }
  run.seed = options.common.seed.value_or(1);
  run.threads = threads(options.common);
  run.max_seconds = asked.max_seconds.value_or(0);
  run.generations = asked.generations.value_or(0);
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

}  // namespace app
