#include <algorithm>
#include <atomic>
#include <cctype>
#include <exception>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "app/commands.h"
#include "app/machine.h"
#include "app/networks.h"
#include "app/program.h"
#include "app/scoring_table.h"
#include "app/web/web_server.h"
#include "base/errors.h"
#include "nn/checkpoint.h"
#include "training/settings/run_config.h"

namespace app {
namespace {

constexpr std::size_t kShortestToken = 8;
constexpr int kHashMib = 256;

WebServerOptions address(const ServeOptions& asked) {
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
std::string network(const ServeOptions& asked) {
  const bool has_network = !asked.run.empty() && !nn::list_checkpoints(asked.run).empty();
  return asked.net.empty() && has_network ? asked.run : asked.net;
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
Backend load_for(const Options& options, const WebSettings& settings, const Opponent& opponent) {
  CommonOptions common = options.common;
  common.rules = opponent.rules.name();
  const auto networks = listed_networks(RunList(settings.runs, settings.run), settings.net);
  const auto load = backend_loader(common, networks);
  if (!opponent.network.empty()) return load(network_of(networks, opponent.network).path.string());
  try {
    return load(settings.net.string());
  } catch (const std::runtime_error&) {
    if (opponent.rules == settings.rules) throw;
    return no_network();
  }
}

}  // namespace

int run_serve(const Options& options) {
  const std::atomic<bool>& stop = stop_flag();
  WebSettings settings;
  settings.rules = options.common.rule_set();
  settings.table = scoring_table(options.serve.table, settings.rules);
  settings.runs = options.serve.runs;
  settings.run = options.serve.run;
  settings.net = network(options.serve);
  settings.program = own_words(options.common);
  if (!settings.run.empty() && !std::filesystem::exists(settings.run / training::kConfigFile)) {
    throw base::InputError("--run " + options.serve.run + ": expected the folder of a run");
  }
  const WebServerOptions where = address(options.serve);
  // What is wrong with it is said now.
  const Backend first = load_for(options, settings, {settings.rules, ""});
  WebApi api(settings,
             [&](const Opponent& opponent) {
               const bool is_first = opponent.network.empty() && opponent.rules == settings.rules;
               return is_first ? first : load_for(options, settings, opponent);
             },
             {.threads = threads(options.common), .hash_mib = kHashMib});
  WebServer server(api, where);
  print(options.common, {{"url", server.url()}, {"note", first.note}},
        first.note + "\n" + server.url() + "\n");
  std::cout.flush();
  server.run(stop);
  return kInterrupted;
}

}  // namespace app
