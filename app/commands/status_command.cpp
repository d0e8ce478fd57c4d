#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/command.h"
#include "app/named/stores.h"
#include "base/errors.h"

namespace app {
namespace {

struct Status final : Command {
  std::string store = option(store, CommandOption("--store", "URL", kServerHelp).mandatory());
  std::string of_run = option(of_run, {"--run", "NAME", "only this run"});

  Status()
      : Command("status",
                "a store's runs: actors, games/h, networks, queue, waits (needs the learner's "
                "role)") {}
  int run(const CommonOptions& common) const override;
};

std::string seconds(const nlohmann::ordered_json& value) {
  return value.is_null() ? "-" : fmt::format("{:.0f} s", value.get<double>());
}

std::string describe(const nlohmann::ordered_json& run) {
  std::string text =
      fmt::format("run {}: {}, {} games, {:.0f} games/h\n", run["run"].get<std::string>(),
                  run["finished"].get<bool>()  ? "finished"
                  : run["learner"].get<bool>() ? "a learner is at work"
                                               : "no learner",
                  run["games"].get<std::int64_t>(), run["games_per_h"].get<double>());
  text += fmt::format("  queue {}, longest there {}; refused {}\n", run["queue"].dump(),
                      seconds(run["longest_in_queue_s"]), run["refused"].dump());
  text += fmt::format("  newest network {}, {} old\n", run["network"].dump(),
                      seconds(run["network_age_s"]));
  for (const auto& actor : run["actors"]) {
    text += fmt::format(
        "  actor {} on {}: {}, {} threads, network {}, {} games, {:.0f} games/h, waited {}, seen {} "
        "ago\n",
        actor["lease"].dump(), actor["machine"].get<std::string>(),
        actor["device"].get<std::string>(), actor["threads"].dump(), actor["network"].dump(),
        actor["games"].dump(), actor["games_per_h"].get<double>(), seconds(actor["waited_s"]),
        seconds(actor["seen_s"]));
  }
  return text;
}

int Status::run(const CommonOptions& common) const {
  require_url("--store", store);
  const auto runs = selfplay::open_shared_store({.url = store})->status(of_run);
  if (runs.empty() && !of_run.empty()) {
    throw base::InputError(store + ": holds no run '" + of_run + "'");
  }
  std::string text = runs.empty() ? "no runs\n" : "";
  for (const auto& run : runs) text += describe(run);
  return print(common, runs, text);
}

}  // namespace

std::unique_ptr<Command> status_command() { return std::make_unique<Status>(); }

}  // namespace app
