#include "app/program.h"

#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>

#include "app/command_line.h"
#include "app/machine.h"
#include "base/cpu_level.h"
#include "base/errors.h"
#include "nn/device_use.h"
#include "nn/weights.h"
#include "rules/error.h"

namespace app {
namespace {

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
  const int code = run_command(*command, common);
  return code == kInNet ? hand_over(argv) : code;
}

}  // namespace app
