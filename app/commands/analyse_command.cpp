#include <poll.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <stop_token>
#include <thread>

#include "app/command.h"
#include "app/command_line.h"
#include "app/machine.h"
#include "app/named/networks.h"
#include "app/named/scoring_table.h"
#include "app/protocols/analysis.h"

namespace app {
namespace {

constexpr const char* kAnalyseFooter =
    R"(A request is a line of JSON: id, and the position as fen and/or moves, or a game as pgn; plies of it
("all", or a list such as [0, 5]; the last); rules, table; nodes, depth, seconds (null: no limit);
lines, allowed, avoid, report_every (seconds), priority. Every position is answered in a line, as soon
as it is known, with points_white, outcomes and the best lines. {"id": …, "action": …} does terminate
("of": ID), clear and version. What is refused is answered with error and field, and the program goes
on: the exit code at the end of the input is 0 all the same. docs/analyse.md has examples.)";

constexpr int kHashOfThread = 64;  // MiB
constexpr std::chrono::milliseconds kLook{20};

struct Analyse final : Command {
  std::string net = option(net, opponent_option());
  std::optional<int> nodes = option(
      nodes,
      {"--nodes", "N", "where a request has none: positions (NNUE) or visits (tree search)"});
  std::optional<int> depth =
      option(depth, CommandOption("--depth", "N", "likewise: plies").range(1, 10000));
  std::optional<double> seconds =
      option(seconds, {"--seconds", "TIME", "likewise: time for a position, such as 0.5s"});
  int lines = option(
      lines, CommandOption("--lines", "N", "likewise: lines").range(1, engine::kMostLines), 1);
  std::string table = option(table, table_option(), "default");
  std::optional<int> hash =
      option(hash, {"--hash", "N",
                    "MiB of the tables or trees of all threads together, for each of at most two "
                    "rule sets at a time (default: 64 for each thread)"});
  bool keep = option(keep, {"--keep", "",
                            "lets a search use what the ones before it on its thread have found; "
                            "what is answered then depends on the order"});

  Analyse()
      : Command("analyse", "analyse many positions or games at once: JSON lines in, JSON lines out",
                kAnalyseFooter) {}
  int run(const CommonOptions& common) const override;
};

AnalysisSettings settings_of(const Analyse& asked, const CommonOptions& common) {
  AnalysisSettings settings;
  AnalysisDefaults& defaults = settings.defaults;
  defaults.rules = common.rule_set();
  defaults.table = scoring_table(asked.table, defaults.rules);
  defaults.limits.nodes = static_cast<std::uint64_t>(asked.nodes.value_or(0));
  defaults.limits.depth = asked.depth.value_or(0);
  if (asked.seconds) defaults.limits.move_time_ms = 1000 * *asked.seconds;
  defaults.limits.multi_pv = asked.lines;
  settings.threads = threads(common);
  settings.hash_mib = asked.hash.value_or(kHashOfThread * settings.threads);
  settings.keeps_memory = asked.keep;
  return settings;
}

// Whether nobody reads standard output any more.
bool nobody_reads() {
  pollfd output{STDOUT_FILENO, 0, 0};
  return ::poll(&output, 1, 0) > 0 && (output.revents & (POLLERR | POLLNVAL)) != 0;
}

// Ends the program where it is told to, or nobody reads: whoever reads its input cannot, for he may
// wait for a line.
void watch(const std::stop_token& end, const std::atomic<bool>& stop, Analysis& analysis) {
  for (; !end.stop_requested(); std::this_thread::sleep_for(kLook)) {
    if (stop) {
      const auto whole_lines = analysis.hold_output();
      ::_exit(kInterrupted);
    }
    if (!analysis.output_lost() && !nobody_reads()) continue;
    std::raise(SIGPIPE);  // as the write of a line does; where that is ignored:
    ::_exit(fail(kEnvironment, "cannot write to standard output"));
  }
}

int Analyse::run(const CommonOptions& common) const {
  const AnalysisSettings settings = settings_of(*this, common);
  prefer_net(common);
  const auto networks = listed_networks(RunList("runs", {}));
  // What was named and cannot be had is refused before anything is read.
  const Backend first = load_for_rules(common, settings.defaults.rules, net, networks);
  std::cerr << first.note << "\n";
  CommonOptions here = common;
  here.can_hand_over = false;
  std::ios::sync_with_stdio(false);
  std::cin.tie(nullptr);  // which flushes what the workers write
  Analysis analysis(
      settings,
      [&](const Opponent& opponent) {
        return opponent.rules == settings.defaults.rules
                   ? first
                   : load_for_rules(here, opponent.rules, net, networks);
      },
      std::cin, std::cout);
  const std::jthread watcher(
      [&, &stop = stop_flag()](const std::stop_token& end) { watch(end, stop, analysis); });
  analysis.run();
  return kDone;
}

}  // namespace

std::unique_ptr<Command> analyse_command() { return std::make_unique<Analyse>(); }

}  // namespace app
