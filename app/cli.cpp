#include <CLI/CLI.hpp>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <variant>

#include "app/cli_parts.h"
#include "app/options.h"
#include "base/errors.h"
#include "nn/device_name.h"
#include "training/settings/nnue_config.h"
#include "training/settings/options.h"

namespace app {
namespace {

// What is wrong with a device's name; empty where nothing is.
std::string refusal_of_device(const std::string& text) {
  try {
    nn::parse_device_name(text);
    return "";
  } catch (const base::InputError& error) {
    return error.what();
  }
}

// Help that names an option's argument, its default and what it does not go with, but not the range
// of a number: the message that refuses one does.
class Help final : public CLI::Formatter {
 public:
  std::string make_option_opts(const CLI::Option* option) const override {
    if (option->get_type_size() == 0) return "";
    constexpr std::string_view kText = "TEXT:";  // and a set of words
    std::string type = option->get_type_name();
    if (const std::size_t range = type.find(" in ["); range != std::string::npos) {
      type.erase(type.rfind(':', range));
    }
    if (type.starts_with(kText)) type.erase(0, kText.size());
    return " " + type + (option->get_required() ? " (required)" : "");
  }

  std::string make_option_desc(const CLI::Option* option) const override {
    std::string text = option->get_description(), value = option->get_default_str();
    std::erase_if(value, [](char c) { return c == '[' || c == ']'; });  // of a list
    if (!value.empty()) text += " (default: " + value + ")";
    for (const CLI::Option* other : option->get_excludes()) {
      text += " (not with " + other->get_name() + ")";
    }
    return text;
  }
};

// What holds of every value, asked before anything else. Whole numbers are decimal: the parser
// alone would take 010 for eight. And an empty name is a mistake, such as of a script whose
// variable is not set.
void check_values(CLI::App& parser) {
  const CLI::Validator decimal(
      [](std::string& text) -> std::string {
        const bool digits =
            !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
        return digits && (text == "0" || text.front() != '0') ? ""
                                                              : text + ": expected a whole number";
      },
      "");
  const CLI::Validator given(
      [](std::string& text) { return text.empty() ? "empty" : std::string(); }, "");
  for (CLI::Option* option : parser.get_options()) {
    const std::string type = option->get_type_name();
    const std::string name = type.substr(0, type.find(':'));
    if (name == "N" || name == "N[,N...]") {
      option->transform(decimal);
    } else if (!name.empty()) {
      option->transform(given);
    }
  }
  for (CLI::App* command : parser.get_subcommands({})) check_values(*command);
}

void declare_common(CLI::App& parser, CommonOptions& options) {
  add(parser, "--seed", "N", options.seed, "fixes all randomness",
      CLI::Range(std::uint64_t{0}, std::uint64_t{1} << 53));
  add(parser, "--threads", "N", options.threads, "cores to use (default: all that it may)",
      CLI::Range(1, 4096));
  add(parser, "--device", "D", options.device,
      std::string(nn::kDeviceNames) +
          ", which takes L microseconds and R nanoseconds a row for a batch, S microseconds "
          "for a learning step (default: 3 times a batch of its rows), and answers by hash")
      ->check(refusal_of_device);
  parser
      .add_option("--rules", options.rules,
                  "rule set (default: chess_sharp): " + rules::RuleSet::known_names())
      ->type_name("SET");
  parser.add_flag("--json", options.json, "print JSON on stdout and nothing else");
}

constexpr const char* kNetHelp =
    "network: a checkpoint, a run or a file (default: the one that comes with the program)";
constexpr const char* kStudiedNetHelp =
    "network or NNUE: a checkpoint, a run or a file (default: the NNUE that comes with the program)";
constexpr const char* kEngineNetHelp =
    "network or NNUE (default: that of the run in runs/ that was started last, else the NNUE that "
    "comes with the program, else search alone)";
constexpr const char* kOpponentNetHelp =
    "network or NNUE (default: the first that plays the rule set of: the NNUE that comes with the "
    "program, the runs in runs/, the one started last first; else search alone)";

void declare_inspect(CLI::App& parser) {
  parser
      .add_subcommand("inspect",
                      "read one position a line from stdin, print one JSON object a line")
      ->footer(
          "A line is a FEN, optionally followed by ' moves ' and UCI moves. Printed: fen, "
          "outcome,\n"
          "points_white, moves (UCI) and san. A bad line gives {\"error\", \"line\"}, "
          "and exit code 2 at the end.");
}

void declare_perft(CLI::App& parser, PerftOptions& options) {
  auto* command = parser.add_subcommand("perft", "count the leaves of the move tree");
  add(*command, "--depth", "N", options.depth, "plies", CLI::Range(0, 100))->required();
  add(*command, "--fen", "FEN", options.fen, "position (default: the start)");
  command->add_flag("--divide", options.divide, "also the count below each move");
  command->add_flag("--ends", options.ends, "games end at impasse and stalemate too");
}

void declare_games(CLI::App& parser, GamesOptions& options) {
  auto* command = parser.add_subcommand("games", "list a run's games, write or read them as PGN");
  add(*command, "--run", "DIR", options.run, "run folder; with --store the run's name")->required();
  auto* store = add(*command, "--store", "URL", options.store, kStoreHelp);
  add(*command, "--generation", "N", options.generation, "only the games of this generation",
      kCountOrNone);
  add(*command, "--last", "N", options.last, "only the newest N of them", kCountOrNone);
  auto* pgn =
      add(*command, "--pgn", "FILE", options.pgn, "write them to this file as PGN (- for stdout)");
  add_choice(*command, "--dialect", options.dialect,
             "the PGN's tags and results: our own, or what the app of Chess#'s inventor reads",
             {"own", "app"})
      ->needs(pgn);
  add(*command, "--read", "FILE", options.read,
      "add the finished games of this PGN file, with the seeds that --pgn wrote, to DIR/games.db; "
      "games that cannot be read are named and left out (exit code 1)")
      ->excludes(pgn)
      ->excludes(store);
}

CLI::Option* declare_set(CLI::App& command, std::vector<std::string>& changes) {
  return add(command, "--set", "SECTION.KEY=VALUE", changes, "change a key of the config");
}

void declare_config(CLI::App& parser, ConfigOptions& options) {
  auto* command = parser.add_subcommand(
      "config", "print every key of a run's config with value, range and help");
  auto* preset =
      add(*command, "--preset", "NAME", options.preset, "with the values of configs/NAME.toml");
  auto* check =
      add(*command, "--check", "FILE", options.check, "check this file and print nothing else")
          ->excludes(preset);
  add(*command, "--plan", "FILE", options.plan,
      "print what a run of the preset brings: games, evaluations, disk; FILE: what `bench all "
      "--json` printed on the machine")
      ->excludes(check)
      ->needs(preset);
  declare_set(*command, options.set)->needs(preset);
}

// "8h", "90m", "30s" or "1h30m" in seconds.
double seconds_of(const std::string& text) {
  constexpr double kYear = 366 * 24 * 3600;
  double seconds = 0;
  std::istringstream in(text);
  for (double number = 0; in >> number;) {
    char unit = 0;
    in >> unit;
    const std::size_t at = std::string("smh").find(unit);
    if (!in || at == std::string::npos || number < 0) break;
    seconds += number * (at == 0 ? 1 : at == 1 ? 60 : 3600);
    const bool whole = in.peek() == std::istringstream::traits_type::eof();
    if (whole && seconds > 0 && seconds <= kYear) return seconds;
  }
  throw CLI::ValidationError("--max-time " + text,
                             "expected a time above zero, at most a year, such as 8h or 1h30m");
}

void declare_max_time(CLI::App& command, std::optional<double>& seconds, const std::string& help) {
  command
      .add_option_function<std::string>(
          "--max-time", [&seconds](const std::string& t) { seconds = seconds_of(t); }, help)
      ->type_name("TIME");
}

void declare_train(CLI::App& parser, TrainOptions& options) {
  auto* command =
      parser.add_subcommand("train", "learn: play games, train the network, again and again");
  add(*command, "--config", "FILE", options.config,
      "TOML file (see `config`), or the name of a preset of configs/");
  add(*command, "--run", "DIR", options.run,
      "run folder (default: runs/ and the config's name); an existing run is resumed");
  add(*command, "--init", "NET", options.init,
      "start a new run from this network's weights; it must have the same [network], but may lack "
      "policy_attention");
  add(*command, "--games", "FILE", options.games,
      "games that a new run learns from first: PGN, a games.db, or the folder of a run or of "
      "`selfplay`");
  auto* store = add(*command, "--store", "URL", options.store,
                    "keep games and networks in a PostgreSQL store, postgresql://…, where actors "
                    "help; the run's name there is its folder's");
  add(*command, "--learn-only", "", options.learn_only,
      "play no games, learn from those of actors alone")
      ->needs(store);
  declare_set(*command, options.set);
  declare_max_time(*command, options.max_seconds,
                   "how long the whole run may work: 8h, 90m, 1h30m");
  add(*command, "--generations", "N", options.generations, "generations of the whole run");
  command->footer(
      "Disk: about 50 bytes a ply played, and 20 bytes a weight of the network for each "
      "checkpoint\n"
      "that is kept (run.keep_checkpoints of the newest, each tenth of the older).\n"
      "Several learners that are one (RANK, WORLD_SIZE): docs/distributed.md.");
}

void declare_train_nnue(CLI::App& parser, TrainNnueOptions& options) {
  auto* command = parser.add_subcommand(
      "train-nnue", "learn an NNUE for alpha-beta search from games that it plays against itself");
  add(*command, "--run", "DIR", options.run,
      "run folder; an existing run is resumed. The evaluator is DIR/nnue.safetensors: a player of "
      "`match`, a --net of `uci` and `play`");
  declare_set(*command, options.set);
  declare_max_time(*command, options.max_seconds,
                   "how long this start may work: 2h, 90m (the last 15 % anneal the rate)");
  add(*command, "--generations", "N", options.generations, "generations of the whole run");
  training::NnueRunConfig config;
  selfplay::SelfPlayConfig openings;
  command->footer("Keys of --set:\n\n" +
                  training::print_options(training::nnue_options(config, openings), true));
}

void declare_match(CLI::App& parser, MatchOptions& options) {
  auto* command = parser.add_subcommand("match", "play two players against each other, in pairs");
  add(*command, "--a", "P", options.a, "a player (below)")->required();
  add(*command, "--b", "P", options.b, "the other")->required();
  add(*command, "--games", "N", options.games,
      "games, two of each opening (default: 100, with --sprt no limit)");
  add(*command, "--sims", "N", options.sims, "a network's simulations a move");
  add(*command, "--table", "T", options.table, studies::kTableHelp);
  command
      ->add_option(
          "--sprt", options.sprt,
          "play until it is clear whether A is ELO0 (H0) or ELO1 (H1) stronger; exit code 0 "
          "where H1 is accepted, 1 where H0 is or where it stays undecided")
      ->type_name("ELO0,ELO1")
      ->delimiter(',')
      ->expected(2);
  auto* book = add(*command, "--openings", "FILE", options.openings,
                   "book: a line is a FEN, then perhaps ' moves ' and UCI moves");
  add(*command, "--opening-plies", "N", options.opening_plies,
      "random moves before the players', where there is no book", CLI::Range(0, 100))
      ->excludes(book);
  add(*command, "--pgn", "FILE", options.pgn, "write the games to this file as PGN")
      ->check(
          [](const std::string& file) { return file == "-" ? "expected a file" : std::string(); });
  add(*command, "--resume", "FILE", options.resume,
      "keep each game in this file as it ends; if it has games of this match, go on after them");
  command->footer(
      R"(A player is a checkpoint folder, a run folder (its newest checkpoint), a network file, an NNUE
file, random, greedy, alphabeta:DEPTH, uniform:SIMULATIONS (search that knows nothing),
uci:COMMAND LINE or uci-fairy:COMMAND LINE (Fairy-Stockfish); an engine's command may begin with
nodes=N:, movetime=MILLISECONDS: (100), timeout=SECONDS: (10, beyond these) and table=T:. A network may
be followed by settings of its own, as in runs/quick:sims=32,c_puct=1.2 or
runs/quick:movetime=100,table=impasse_equal=5: sims, movetime (milliseconds a move), evals (the
most network evaluations a move; 0: no limit), explore (noise as in self-play), precision
(auto, fp32, bf16, fp16, int8), table and every key of [search] that `config` prints. An NNUE takes
nodes (10000 a move, where no movetime is given either), movetime, hash (MiB), threads, temperature
and table. table=T is the scoring table that the player believes; --table is the one that pays. T may be a
list of changes: table=impasse_equal=5,stalemate=2,sims=32. Where a player has a movetime, each
of the --threads plays one game after the other, and an engine is told to use one thread.)");
}

void declare_uci(CLI::App& parser, UciOptions& options) {
  auto* command =
      parser.add_subcommand("uci", "UCI engine for chess programs, on stdin and stdout");
  add(*command, "--net", "NET", options.net, kEngineNetHelp);
}

void declare_bench(CLI::App& parser, BenchOptions& options) {
  auto* command = parser.add_subcommand("bench", "the program's signature and its speeds here");
  add_choice(*command, "what", options.what,
             "search, nnue, forward, selfplay, train, all (of these), beside or pipeline",
             {"search", "nnue", "forward", "selfplay", "train", "all", "beside", "pipeline"});
  add(*command, "--preset", "NAME", options.preset,
      "whose network and settings: configs/NAME.toml");
  declare_set(*command, options.set);
  command->footer(
      R"(The signature depends on the search's behaviour alone, not on speed or threads. Speeds are a
second's: perft_nps leaves (every one made), perft_bulk_nps leaves (the last ply counted),
search_nps visits of one tree with the hash evaluator, nnue_evals_per_s the NNUE that comes along
on one thread, alphabeta_nps nodes of the search by it, forward_evals_per_s the network alone
with its best batch, in the precision that plays and in each that this machine can
(plain: as it is trained), selfplay_evals_per_s inside games (selfplay_efficiency: their ratio;
selfplay_evals_per_move: what a move costs after what the tree, the cache and exact leaves save),
train_positions_per_s the learner (train_plain_positions_per_s: a plain program's in fp32).
search_one_thread_nps is one tree on one thread,
search_games_nps many games on all threads, search_games_scaling that over one thread's.
beside plays games and learns at the same time on a --device other than cpu: beside_evals_per_s and
beside_positions_per_s, and alone_evals_per_s and alone_positions_per_s of each without the other.
pipeline runs four generations of the preset's loop on a --device other than cpu and measures the
last three: device_busy_games, _learning, _matches and _all are the fractions of the time in which
the device had work, cores_busy (_games, ...) those of the threads that ran, device_awaited those
that waited for the device; what is left waited for other threads or for a core.)");
}

void declare_selfplay(CLI::App& parser, SelfPlayOptions& options) {
  auto* command = parser.add_subcommand("selfplay", "only play training games, into DIR/games.db");
  add(*command, "--net", "NET", options.net, kNetHelp);
  add(*command, "--games", "N", options.games, "games to play")->required();
  add(*command, "--out", "DIR", options.out, "folder, made where it is missing")->required();
  add(*command, "--config", "FILE", options.config,
      "how to play: [selfplay], [search] and [rules] of this file or preset");
  command->footer(
      R"(Each game that is started is played to its end. On a processor a seed always plays the same
games of a network and config, on any number of threads: where they are in DIR already none
is added, and another --seed plays others.)");
}

void declare_play(CLI::App& parser, PlayOptions& options) {
  auto* command = parser.add_subcommand("play", "play against it in the terminal");
  add(*command, "--net", "NET", options.net, kOpponentNetHelp);
  add_choice(*command, "--side", options.side, "yours: w or b", {"w", "b"});
  auto* level = add(
      *command, "--level", "N", options.level,
      "how well it plays, 1 to 6: an NNUE by 100, 300, 1,000, 5,000, 40,000 or 400,000 nodes, a "
      "network by 8, 32, 100, 400, 1,600 or 6,400 simulations, the first three with some chance; all "
      "vary their first moves",
      CLI::Range(1, 6));
  add(*command, "--sims", "N", options.sims,
      "instead of a level: simulations (nodes of an NNUE) of each of its moves, of which it plays "
      "the best, but for the first few, which vary")
      ->excludes(level);
  add_choice(*command, "--pieces", options.pieces, "auto, unicode or letters",
             {"auto", "unicode", "letters"});
  add_choice(*command, "--color", options.color, "auto, always or never",
             {"auto", "always", "never"});
  add(*command, "--table", "T", options.table, studies::kTableHelp);
}

void declare_serve(CLI::App& parser, ServeOptions& options) {
  auto* command = parser.add_subcommand(
      "serve", "a page for the browser: play against it, analyse, watch and start runs, ask");
  auto* net = add(*command, "--net", "NET", options.net, kOpponentNetHelp);
  add(*command, "--run", "DIR", options.run,
      "a run to watch, shown first; its newest network plays")
      ->excludes(net);
  add(*command, "--runs", "DIR", options.runs, "folder of the runs, also of those started here");
  add(*command, "--port", "N", options.port, "where it listens; 0: any free port",
      CLI::Range(0, 65535));
  add(*command, "--host", "H", options.host,
      "address that other machines reach (default: this machine alone); needs --token");
  add(*command, "--token", "SECRET", options.token,
      "what a visitor must know, at least 8 letters, digits, - or _; the address that is printed "
      "has it");
  add(*command, "--table", "T", options.table, studies::kTableHelp);
  command->footer(
      "--rules is what the page offers first; it plays all rule sets, those that NET does not "
      "know by search alone.\n"
      "At most 20 games at once share the --threads in turn. Ctrl-C ends it.");
}

void declare_ladder(CLI::App& parser, LadderOptions& options) {
  auto* command = parser.add_subcommand(
      "ladder", "rate a run's checkpoints, other players and the baselines on one scale");
  add(*command, "--run", "DIR", options.run, "run folder; its ratings.json is written");
  add(*command, "--player", "P", options.players,
      "a further player, as `match` takes it; may be repeated");
  add(*command, "--checkpoints", "N", options.checkpoints, "at most so many, evenly spread",
      CLI::Range(1, 1000));
  add(*command, "--games", "N", options.games, "of each encounter, in pairs");
  add(*command, "--sims", "N", options.sims, "a network's simulations a move");
}

void declare_luck(CLI::App& parser, LuckOptions& options) {
  auto* command = parser.add_subcommand(
      "luck", "how often the weaker of two players wins, under each of --rules A,B,...");
  add(*command, "--player", "P", options.players,
      "as `match` takes it; repeated, from weak to strong: each plays the next");
  add(*command, "--games", "N", options.games, "of each encounter, in pairs");
  add(*command, "--sims", "N", options.sims, "a network's simulations a move");
  command->footer(
      "--rules: default raindrop,chess_sharp,chess. The weaker is who scored less. Where there are\n"
      "cards both games of a pair have them in the same order.");
}

void declare_study(CLI::App& parser, StudyOptions& options, studies::Study& study) {
  auto* command = parser.add_subcommand(study.name, study.help);
  add(*command, "--net", "NET", options.net, kStudiedNetHelp);
  add(*command, "--games", "N", options.games, "games of each kind");
  add(*command, "--opening-plies", "N", options.opening_plies,
      "first plies, drawn by the searches' visits; then the best move, no noise",
      CLI::Range(0, 1000));
  add(*command, "--seeds", "N", options.seeds,
      "spread the games over N seeds, starting with --seed", CLI::Range(1, 1000));
  add(*command, "--fen", "FEN", options.fen, "where games begin (default: the start)");
  add(*command, "--out", "DIR", options.out,
      "folder (default: studies/ in the network's run, else studies/ and its name)");
  for (const studies::Option& own : study.options()) {
    auto* option = std::visit(
        [&](auto* value) {
          return add(*command, own.name, own.type, *value, own.help, CLI::Range(1, own.most));
        },
        own.value);
    for (const std::string& other : own.excludes) option->excludes(command->get_option(other));
  }
  command->footer(
      R"(The games are kept in DIR/games.db. Ctrl-C stops (exit code 130): run the same command to
continue. Games that are there are not played again, whatever study they were played for.
The answer is written to DIR too, and shown by the report of the run (of DIR, where there is
no run).)" +
      (study.footer.empty() ? "" : "\n\n" + study.footer));
}

void declare_export(CLI::App& parser, ExportOptions& options) {
  auto* command =
      parser.add_subcommand("export", "write a network as a TorchScript file for Python");
  add(*command, "--net", "NET", options.net, kNetHelp);
  add(*command, "--to", "FILE", options.to, "file that torch.jit.load opens")->required();
}

void declare_report(CLI::App& parser, ReportOptions& options) {
  auto* command = parser.add_subcommand(
      "report", "write a run's report.html: curves, ratings, games, what studies found");
  add(*command, "--run", "DIR", options.run, "run folder, or a study's own")->required();
}

}  // namespace

void declare_command_line(CLI::App& parser, Options& options) {
  parser.name("sharpzero");
  parser.description(
      "sharpzero learns Chess# from its rules, and answers questions about the game.");
  parser.set_version_flag("--version", "sharpzero " SHARPZERO_VERSION);
  parser.formatter(std::make_shared<Help>());
  parser.require_subcommand(1);
  parser.fallthrough();
  declare_common(parser, options.common);
  declare_inspect(parser);
  declare_perft(parser, options.perft);
  declare_games(parser, options.games);
  declare_config(parser, options.config);
  declare_train(parser, options.train);
  declare_train_nnue(parser, options.train_nnue);
  declare_match(parser, options.match);
  declare_uci(parser, options.uci);
  declare_bench(parser, options.bench);
  declare_selfplay(parser, options.selfplay);
  declare_play(parser, options.play);
  declare_serve(parser, options.serve);
  declare_ladder(parser, options.ladder);
  declare_luck(parser, options.luck);
  for (const auto& study : options.studies) declare_study(parser, options.study, *study);
  declare_export(parser, options.export_net);
  declare_report(parser, options.report);
  declare_actor(parser, options.actor);
  declare_store(parser, options.store);
  declare_status(parser, options.status);
  for (CLI::App* command : parser.get_subcommands({})) {
    command->footer(command->get_footer() + (command->get_footer().empty() ? "" : "\n\n") +
                    "--seed, --threads, --device, --rules and --json: see `sharpzero --help`.");
  }
  // Set last: the commands would take it for theirs.
  parser.footer("`sharpzero COMMAND --help` explains a command; the options above may follow it.");
  check_values(parser);
}

}  // namespace app
