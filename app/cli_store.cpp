#include "app/cli_parts.h"

namespace app {

void declare_actor(CLI::App& parser, ActorOptions& options) {
  auto* command =
      parser.add_subcommand("actor", "play training games for a run of `train --store`");
  add(*command, "--store", "URL", options.store, "the store: postgresql://USER@HOST/DATABASE")
      ->required();
  add(*command, "--run", "NAME", options.run, kRunInStoreHelp);
  command->footer(
      "Any number, on any machines, at any time. Plays by the newest network until the run has "
      "finished;\nkeeps nothing on disk. Ctrl-C sends what is finished and ends it.\n"
      "Exit codes: 0 the run has finished; 2 no such store or run (yet), or none for this "
      "program;\n3 server, rights or device failed at the start.");
}

void declare_status(CLI::App& parser, StatusOptions& options) {
  auto* command = parser.add_subcommand(
      "status",
      "a store's runs: actors, games/h, networks, queue, waits (needs the learner's role)");
  add(*command, "--store", "URL", options.store, "the store: postgresql://USER@HOST/DATABASE")
      ->required();
  add(*command, "--run", "NAME", options.run, "only this run");
}

void declare_store(CLI::App& parser, StoreOptions& options) {
  auto* command =
      parser.add_subcommand("store", "check, prune, copy or share a run's stored games");
  add_choice(*command, "action", options.action, "what to do", {"check", "prune", "copy", "grant"});
  command->get_option("action")->required();
  add(*command, "--store", "WHERE", options.store,
      "games.db, the folder of a run, or postgresql://…")
      ->required();
  add(*command, "--run", "NAME", options.run, kRunInStoreHelp);
  add(*command, "--to", "WHERE", options.to, "copy: where the games go; made where it is missing");
  add(*command, "--games", "N", options.games, "prune: the newest games to keep", kCountOrNone);
  add(*command, "--networks", "N", options.networks, "prune: the newest networks to keep");
  add(*command, "--role", "ROLE", options.role,
      "grant: a PostgreSQL role that may act: read runs and networks, send games, nothing else");
  command->footer(
      "check reads every game and replays it by the rules, and compares every network with its "
      "checksum.\n"
      "prune should keep the games of twice learner.window_max positions at least (a game has some "
      "50).\n"
      "copy keeps the games' ids, so that a run goes on from the copy; a run's folder gives its "
      "config too.");
}

}  // namespace app
