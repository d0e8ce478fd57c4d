#pragma once
// The commands, each in the .cpp file of its name. They print their answer on stdout, progress and
// warnings on stderr, and return an exit code (program.h) or throw.

#include "app/options.h"

namespace app {

// Without LibTorch, in `sharpzero`.
int run_inspect(const Options& options);
int run_perft(const Options& options);
int run_games(const Options& options);
int run_config(const Options& options);
int run_report(const Options& options);

// With LibTorch, in `sharpzero-net`.
int run_train(const Options& options);
int run_train_nnue(const Options& options);
int run_match(const Options& options);
int run_uci(const Options& options);
int run_bench(const Options& options);
int run_export(const Options& options);
int run_ladder(const Options& options);
int run_study(const Options& options);
int run_selfplay(const Options& options);
int run_play(const Options& options);
int run_serve(const Options& options);
int run_actor(const Options& options);
int run_store(const Options& options);
int run_status(const Options& options);

}  // namespace app
