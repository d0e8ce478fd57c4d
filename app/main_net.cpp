// sharpzero-net: the commands that need a network. Started by `sharpzero`.

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <iostream>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "app/commands.h"
#include "app/program.h"
#include "app/progress.h"

namespace {

constexpr app::Command kCommands[] = {
    // clang-format off
    {"train", app::run_train, true},
    {"train-nnue", app::run_train_nnue, true},
    {"selfplay", app::run_selfplay},
    {"match", app::run_match},
    {"ladder", app::run_ladder},
    {"bench", app::run_bench},
    {"uci", app::run_uci},
    {"play", app::run_play},
    {"serve", app::run_serve, true},
    {"export", app::run_export},
    {"actor", app::run_actor, true},
    {"store", app::run_store},
    {"status", app::run_status},
    // clang-format on
};

// A flag of the log's pattern: a line of the log takes the place of the progress line.
class ErasesProgress : public spdlog::custom_flag_formatter {
 public:
  void format(const spdlog::details::log_msg&, const std::tm&,
              spdlog::memory_buf_t& line) override {
    const std::string_view erasure = app::Progress::erasure();
    line.append(erasure.data(), erasure.data() + erasure.size());
  }
  std::unique_ptr<custom_flag_formatter> clone() const override {
    return std::make_unique<ErasesProgress>();
  }
};

int refuse(char** argv) {
  std::cerr << "error: this command belongs to `sharpzero`, not to " << argv[0] << "\n";
  return app::kBadInput;
}

}  // namespace

int main(int argc, char** argv) {
  spdlog::set_default_logger(spdlog::stderr_color_mt("sharpzero"));
  auto formatter = std::make_unique<spdlog::pattern_formatter>();
  formatter->add_flag<ErasesProgress>('*').set_pattern("%*%H:%M:%S %^%v%$");
  spdlog::set_formatter(std::move(formatter));
  const auto studies = studies::all_studies();
  std::vector<app::Command> commands(std::begin(kCommands), std::end(kCommands));
  for (const auto& study : studies) commands.push_back({study->name, app::run_study});
  return app::run_program(argc, argv, commands, refuse);
}
