// sharpzero-net: the commands that need a network. Started by `sharpzero`.

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <iostream>

#include "app/commands.h"
#include "app/program.h"

namespace {

constexpr app::Command kCommands[] = {
    // clang-format off
    {"train", app::run_train, true},
    {"selfplay", app::run_selfplay},
    {"match", app::run_match},
    {"ladder", app::run_ladder},
    {"advantage", app::run_advantage},
    {"scoring", app::run_scoring},
    {"calibration", app::run_calibration},
    {"bench", app::run_bench},
    {"uci", app::run_uci},
    {"play", app::run_play},
    {"export", app::run_export},
    // clang-format on
};

int refuse(char** argv) {
  std::cerr << "error: this command belongs to `sharpzero`, not to " << argv[0] << "\n";
  return app::kBadInput;
}

}  // namespace

int main(int argc, char** argv) {
  spdlog::set_default_logger(spdlog::stderr_color_mt("sharpzero"));
  spdlog::set_pattern("%H:%M:%S %^%v%$");
  return app::run_program(argc, argv, kCommands, refuse);
}
