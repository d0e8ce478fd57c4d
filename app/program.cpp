#include "app/program.h"

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <system_error>

#include "app/command_line.h"
#include "app/machine.h"
#include "app/named/players.h"
#include "app/progress.h"
#include "base/cpu_level.h"
#include "base/errors.h"
#include "nn/device_use.h"
#include "nn/weights.h"
#include "rules/error.h"

namespace app {
namespace {

// A flag of the log's pattern: a line of the log takes the place of the progress line.
class ErasesProgress : public spdlog::custom_flag_formatter {
 public:
  void format(const spdlog::details::log_msg&, const std::tm&,
              spdlog::memory_buf_t& line) override {
    const std::string_view erasure = Progress::erasure();
    line.append(erasure.data(), erasure.data() + erasure.size());
  }
  std::unique_ptr<custom_flag_formatter> clone() const override {
    return std::make_unique<ErasesProgress>();
  }
};

void log_to_stderr() {
  spdlog::set_default_logger(spdlog::stderr_color_mt("sharpzero"));
  auto formatter = std::make_unique<spdlog::pattern_formatter>();
  formatter->add_flag<ErasesProgress>('*').set_pattern("%*%H:%M:%S %^%v%$");
  spdlog::set_formatter(std::move(formatter));
}

int run_command(const Command& command, const CommonOptions& common) {
  try {
    base::hold_libraries_to_cpu_level();
    if (!command.heeds_stop_flag) release_stop_signals();
    const int code = command.run(common);
    std::cout.flush();
    return std::cout ? code : fail(kEnvironment, "cannot write to standard output");
  } catch (const nn::DeviceHungError& error) {
    fail(kEnvironment, error.what());
    std::cerr.flush();
    std::_Exit(kEnvironment);
  } catch (const base::InputError& error) {
    return fail(kBadInput, error.what());
  } catch (const rules::RulesError& error) {
    return fail(kBadInput, error.what());
  } catch (const nn::CheckpointError& error) {
    return fail(kBadInput, error.what());
  } catch (const std::filesystem::filesystem_error& error) {
    const bool bad_name = error.code() == std::errc::filename_too_long;
    return fail(bad_name ? kBadInput : kEnvironment,
                error.path1().string() + ": " + error.code().message());
  } catch (const nlohmann::json::type_error& error) {
    constexpr int kInvalidUtf8 = 316;  // of a path, most likely
    if (error.id != kInvalidUtf8) return fail(kEnvironment, error.what());
    return fail(kBadInput,
                std::string("a name that is not UTF-8 cannot be written as JSON: ") + error.what());
  } catch (const std::exception& error) {      // disk, memory, device
    const std::string message = error.what();  // LibTorch's goes on with a stack trace
    return fail(kEnvironment, message.substr(0, message.find('\n')));
  }
}

}  // namespace

int run_program(int argc, char** argv, const std::vector<std::unique_ptr<Command>>& commands,
                HandOver hand_over) {
  CommonOptions common;
  const auto [command, exit_code] = read_command_line(argc, argv, commands, common);
  if (command == nullptr) return exit_code;
  common.can_hand_over = hand_over != nullptr;
  if (common.any_rules) allow_any_rules();
  log_to_stderr();
  try {
    return run_command(*command, common);
  } catch (const NeedsNet&) {
    return hand_over(argv);
  }
}

}  // namespace app
