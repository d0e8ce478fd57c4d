#include <algorithm>
#include <atomic>
#include <cctype>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "app/command.h"
#include "app/machine.h"
#include "app/named/networks.h"
#include "app/named/paths.h"
#include "app/named/scoring_table.h"
#include "app/web/web_server.h"
#include "base/errors.h"
#include "nn/checkpoint.h"
#include "tablebase/tables.h"
#include "training/settings/run_config.h"

namespace app {
namespace {

struct Serve final : Command {
  std::string net = option(net, opponent_option());
  std::string watched =
      option(watched,
             CommandOption("--run", "DIR", "a run to watch, shown first; its newest network plays")
                 .without({"--net"}));
  std::string runs =
      option(runs, {"--runs", "DIR", "folder of the runs, also of those started here"}, "runs");
  std::string book = option(
      book, {"--book", "DIR", "an opening book to browse (default: one that comes along, if any)"});
  int port = option(
      port, CommandOption("--port", "N", "where it listens; 0: any free port").range(0, 65535),
      8080);
  std::string host = option(
      host, {"--host", "H",
             "address that other machines reach (default: this machine alone); needs --token"});
  std::string token = option(
      token, {"--token", "SECRET",
              "what a visitor must know, at least 8 letters, digits, - or _; the address that is "
              "printed has it"});
  std::string table = option(table, table_option(), "default");
  std::string tablebase = option(tablebase, tablebase_option());

  Serve()
      : Command(
            "serve", "a page for the browser: play against it, analyse, watch and start runs, ask",
            "--rules is what the page offers first; it plays all rule sets, those that NET does "
            "not know by search alone.\n"
            "At most 20 games at once share the --threads in turn. Ctrl-C ends it.",
            true) {}
  int run(const CommonOptions& common) const override;
};

constexpr std::size_t kShortestToken = 8;
constexpr int kHashMib = 256;

WebServerOptions address(const Serve& asked) {
  const bool plain = std::ranges::all_of(asked.token, [](unsigned char c) {
    return (std::isalnum(c) != 0 && c < 0x80) || c == '-' || c == '_';
  });
  if (!asked.token.empty() && (!plain || asked.token.size() < kShortestToken)) {
    throw base::InputError("--token: expected at least 8 letters, digits, - or _");
  }
  if (!asked.host.empty() && asked.token.empty()) {
    throw base::InputError("--host " + asked.host +
                           ": expected --token too, which visitors must know");
  }
  return {.host = asked.host, .port = asked.port, .token = asked.token};
}

// The network that plays where a visitor chooses none; empty: the strongest. A young run has none
// yet.
std::string network(const Serve& asked) {
  const bool has_network = !asked.watched.empty() && !nn::list_checkpoints(asked.watched).empty();
  return asked.net.empty() && has_network ? asked.watched : asked.net;
}

// The words that start a command of this program, but for the command.
std::vector<std::string> own_words(const CommonOptions& common) {
  std::vector<std::string> words{std::filesystem::read_symlink("/proc/self/exe").string()};
  if (common.threads > 0) {
    words.insert(words.end(), {"--threads", std::to_string(common.threads)});
  }
  if (!common.device.empty()) words.insert(words.end(), {"--device", common.device});
  return words;
}

// What the visitor chose; where nothing, the default for the rule set, or search alone where that
// plays only others.
Backend load_for(const CommonOptions& options, const WebSettings& settings,
                 const Opponent& opponent) {
  const auto networks = listed_networks(RunList(settings.runs, settings.run), settings.net);
  if (opponent.network.empty()) {
    return load_for_rules(options, opponent.rules, settings.net.string(), networks);
  }
  CommonOptions common = options;
  common.rules = opponent.rules.name();
  return backend_loader(common, networks)(network_of(networks, opponent.network).path.string());
}

int Serve::run(const CommonOptions& common) const {
  prefer_net(common);
  WebSettings settings;
  settings.rules = common.rule_set();
  settings.table = scoring_table(table, settings.rules);
  settings.runs = runs;
  settings.run = watched;
  settings.net = network(*this);
  settings.book = book_folder(book);
  settings.program = own_words(common);
  if (!settings.run.empty() && !training::has_run(settings.run)) {
    throw base::InputError("--run " + watched + ": expected the folder of a run");
  }
  const WebServerOptions where = address(*this);
  // What is wrong with it is said now.
  const Backend first = load_for(common, settings, {settings.rules, ""});
  const std::atomic<bool>& stop = stop_flag();
  CommonOptions here = common;
  here.can_hand_over = false;
  WebApi api(settings,
             [&](const Opponent& opponent) {
               const bool is_first = opponent.network.empty() && opponent.rules == settings.rules;
               return is_first ? first : load_for(here, settings, opponent);
             },
             {.threads = threads(common),
              .hash_mib = kHashMib,
              .tablebase = tablebase::load(tablebase, settings.rules, settings.table)});
  WebServer server(api, where);
  print(common, {{"url", server.url()}, {"note", first.note}},
        first.note + "\n" + server.url() + "\n");
  std::cout.flush();
  server.run(stop);
  return kInterrupted;
}

}  // namespace

std::unique_ptr<Command> serve_command() { return std::make_unique<Serve>(); }

}  // namespace app
