// sharpzero-net: the commands that need a network too. Started by `sharpzero`.

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <memory>
#include <string_view>
#include <utility>

#include "app/program.h"
#include "app/progress.h"

namespace {

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

}  // namespace

int main(int argc, char** argv) {
  spdlog::set_default_logger(spdlog::stderr_color_mt("sharpzero"));
  auto formatter = std::make_unique<spdlog::pattern_formatter>();
  formatter->add_flag<ErasesProgress>('*').set_pattern("%*%H:%M:%S %^%v%$");
  spdlog::set_formatter(std::move(formatter));
  return app::run_program(argc, argv, app::all_commands(), nullptr);  // all work is here
}
