#include "app/cli.h"

#include <CLI/CLI.hpp>

namespace app {
namespace {

void declare_common(CLI::App& parser, CommonOptions& options) {
  parser.add_option("--seed", options.seed, "fixes all randomness")->type_name("N");
  parser.add_option("--threads", options.threads, "cores to use (default: all)")
      ->type_name("N")
      ->check(CLI::Range(1, 4096));
  parser.add_option("--device", options.device, "cpu, cuda, cuda:N or auto")
      ->type_name("D")
      ->capture_default_str();
  parser.add_option("--rules", options.rules, "rule set, as in chess_sharp+sprint+before=3")
      ->type_name("SET")
      ->capture_default_str();
  parser.add_flag("--json", options.json, "print JSON on stdout and nothing else");
}

void declare_inspect(CLI::App& parser) {
  parser.add_subcommand("inspect", "read one position a line from stdin, print one JSON object a line")
      ->footer(
          "A line is a FEN, optionally followed by ' moves ' and UCI moves. Printed: fen, outcome,\n"
          "points_white, moves (UCI) and san. A bad line gives {\"error\", \"line\"}, and exit code 2 "
          "at the end.");
}

void declare_perft(CLI::App& parser, PerftOptions& options) {
  auto* command = parser.add_subcommand("perft", "count the leaves of the move tree");
  command->add_option("--depth", options.depth, "plies")
      ->type_name("N")
      ->required()
      ->check(CLI::Range(0, 100));
  command->add_option("--fen", options.fen, "position (default: the start)")->type_name("FEN");
  command->add_flag("--divide", options.divide, "also the count below each move");
  command->add_flag("--ends", options.ends, "games end at impasse and stalemate too");
}

void declare_games(CLI::App& parser, GamesOptions& options) {
  auto* command = parser.add_subcommand("games", "list a run's games, or write them as PGN");
  command->add_option("--run", options.run, "run folder")->type_name("DIR")->required();
  command->add_option("--generation", options.generation, "only the games of this generation")
      ->type_name("N")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--last", options.last, "only the newest N of them")
      ->type_name("N")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--pgn", options.pgn, "write them to this file as PGN (- for stdout)")
      ->type_name("FILE");
}

void declare_config(CLI::App& parser, ConfigOptions& options) {
  auto* command =
      parser.add_subcommand("config", "print every key of a run's config with value, range and help");
  auto* preset = command->add_option("--preset", options.preset, "with the values of configs/NAME.toml")
                     ->type_name("NAME");
  command->add_option("--check", options.check, "check this file and print nothing else")
      ->type_name("FILE")
      ->excludes(preset);
}

}  // namespace

void declare_command_line(CLI::App& parser, Options& options) {
  parser.name("sharpzero");
  parser.description(
      "sharpzero learns Chess# from its rules alone, and answers questions about the game.");
  parser.footer("`sharpzero COMMAND --help` explains a command; the options above may follow it.");
  parser.set_version_flag("--version", "sharpzero " SHARPZERO_VERSION);
  parser.require_subcommand(1);
  parser.fallthrough();
  declare_common(parser, options.common);
  declare_inspect(parser);
  declare_perft(parser, options.perft);
  declare_games(parser, options.games);
  declare_config(parser, options.config);
}

}  // namespace app
