#include "app/protocols/uci.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iterator>
#include <limits>
#include <sstream>
#include <utility>

#include "app/named/paths.h"
#include "app/named/scoring_table.h"
#include "app/play/board_view.h"
#include "app/protocols/uci_go.h"
#include "arena/variant_names.h"
#include "base/errors.h"
#include "base/processor.h"
#include "base/text.h"
#include "book/book_file.h"
#include "book/ways.h"
#include "rules/notation.h"

namespace app {
namespace {

const std::string kEmpty = "<empty>";  // how an empty text is said

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  });
  return text;
}

std::string joined(std::vector<std::string>::const_iterator begin,
                   std::vector<std::string>::const_iterator end) {
  return fmt::format("{}", fmt::join(begin, end, " "));
}

// "true" or "false" where the value means one of them, else the value.
std::string on_or_off(const std::string& value) {
  const std::string said = lower(value);
  if (said == "1" || said == "on" || said == "yes") return "true";
  if (said == "0" || said == "off" || said == "no") return "false";
  return said == "true" || said == "false" ? said : value;
}

// The names of the variant that chess programs may look for among the values of the combo.
std::vector<std::string> spellings(rules::RuleSet rules) {
  std::vector<std::string> all{rules.uci_variant()};
  if (std::string app = rules.app_variant(); !app.empty()) all.push_back(std::move(app));
  return all;
}

// The book of that folder, or the one that comes along where none is named; null: there is none.
std::shared_ptr<const book::Book> book_of(const std::string& name, rules::RuleSet rules) {
  const std::filesystem::path folder = book_folder(name);
  if (folder.empty()) return nullptr;
  auto book = std::make_shared<const book::Book>(book::read_book(folder));
  const rules::RuleSet known = book->terms().start.rule_set();
  if (known == rules && book->size() > 0) return book;
  if (name.empty()) return nullptr;
  throw base::InputError(name + ": a book of " + known.name() + ", expected one of " +
                         rules.name());
}

std::string described(const std::string& folder, const tablebase::Tables& tables) {
  return fmt::format("tablebase {}: all endings with up to {} pieces, {:.1f} MiB", folder,
                     tables.pieces(), static_cast<double>(tables.bytes()) / (1 << 20));
}

// 100 * (expected points of the side to move - 5).
int centipoints(float value_stm) { return static_cast<int>(std::lround(500 * value_stm)); }

}  // namespace

// One UCI option: how it is announced, and what a value does. `read` throws where the value is bad,
// and changes nothing; what it returns makes the change, and is called while no search runs.
struct Uci::Option {
  std::string name, announcement;
  Read read;
};

Uci::Uci(const UciSettings& settings, LoadBackend load, std::istream& in, std::ostream& out)
    : settings_(settings),
      load_(std::move(load)),
      in_(in),
      out_(out),
      table_(settings.rules.table()),
      line_(rules::Position::start(settings.rules)) {
  declare_options();
  tablebase_ = tablebase::load(settings.tablebase, settings.rules, table_);
}

Uci::~Uci() = default;

void Uci::add_option(const std::string& name, std::string announcement, Read read) {
  options_[lower(name)] = {name, std::move(announcement), std::move(read)};
}

void Uci::add_number(const std::string& name, int& field, int low, int high, bool remake) {
  add_option(name, fmt::format("type spin default {} min {} max {}", field, low, high),
             [this, name, &field, low, high, remake](const std::string& value) {
               const auto number = static_cast<int>(base::whole_number(name, value, low, high));
               return [this, &field, remake, number] {
                 field = number;
                 if (remake) engine_.reset();
               };
             });
}

void Uci::add_check(const std::string& name, const std::string& standard,
                    const std::vector<std::string>& allowed, Read read) {
  add_option(name, "type check default " + standard,
             [name, allowed, read = std::move(read)](const std::string& value) -> Change {
               const std::string said = on_or_off(value);
               if (std::ranges::find(allowed, said) == allowed.end()) {
                 throw base::InputError(
                     fmt::format("{} '{}': expected {}", name, value, fmt::join(allowed, " or ")));
               }
               return read ? read(said) : [] {};
             });
}

void Uci::add_path(const std::string& name, const std::string& standard, Read read) {
  add_option(name, "type string default " + (standard.empty() ? kEmpty : standard),
             [read = std::move(read)](const std::string& value) {
               return read(value == kEmpty ? "" : value);
             });
}

void Uci::declare_options() {
  const std::string variant = settings_.rules.uci_variant();
  add_option(
      "UCI_Variant",
      fmt::format("type combo default {} var {}", variant,
                  fmt::join(spellings(settings_.rules), " var ")),
      [this, variant](const std::string& value) {
        if (!arena::names_variant(value, settings_.rules)) {
          throw base::InputError(fmt::format("UCI_Variant '{}': expected {}", value, variant));
        }
        return [] {};
      });
  if (settings_.rules.castling == rules::Castling::kChess960)
    add_check("UCI_Chess960", "true", {"true"});
  add_path("Net", settings_.net, [this](const std::string& net) {
    return [this, net, backend = load_(net)] {
      engine_.reset();
      settings_.net = net;
      backend_ = backend;
      say("info string " + backend_->note);
    };
  });
  add_option("ScoringTable", "type string default default", [this](const std::string& value) {
    return [this, table = scoring_table(value, settings_.rules)] {
      table_ = table;
      if (tablebase_ && !tablebase_->hold_under(table))
        say("info string TablebasePath: not asked under this ScoringTable, which ranks outcomes "
            "otherwise");
    };
  });
  add_number("Threads", settings_.threads, 1, 4096, true);
  add_number("Hash", hash_mib_, 1, 65535, true);
  add_number("MultiPV", multi_pv_, 1, engine::kMostLines, false);
  add_number("MoveOverhead", move_overhead_ms_, 0, 60000, true);
  add_check("Ponder", "false", {"true", "false"});
  // Play draws no random numbers: with one thread a search is the same under every seed.
  add_number("Seed", seed_, 0, std::numeric_limits<int>::max(), false);
  declare_knowledge();
}

void Uci::declare_knowledge() {
  add_path("TablebasePath", settings_.tablebase, [this](const std::string& folder) {
    return [this, folder, tables = tablebase::load(folder, settings_.rules, table_)] {
      tablebase_ = tables;
      engine_.reset();
      if (tables) say("info string " + described(folder, *tables));
    };
  });
  add_check("OwnBook", "false", {"true", "false"}, [this](const std::string& said) {
    const bool on = said == "true";
    const auto book = on && !book_ ? book_of("", settings_.rules) : book_;
    return [this, book, on] {
      own_book_ = on;
      book_ = book;
      if (on && !book) say("info string OwnBook: there is none here; Book names a folder with one");
    };
  });
  add_path("Book", "", [this](const std::string& folder) {
    return [this, book = book_of(folder, settings_.rules)] { book_ = book; };
  });
}

void Uci::run() {
  std::string line;
  while (std::getline(in_, line)) {
    std::istringstream text(line);
    const Words words{std::istream_iterator<std::string>(text), {}};
    try {
      if (!words.empty() && !handle(words, line)) break;
    } catch (const std::exception& error) {
      say_error(error.what());
    }
  }
  finish_search();
}

bool Uci::handle(const Words& words, const std::string& line) {
  const std::string& command = words.front();
  if (command == "quit") return false;
  if (command == "uci") {
    identify();
  } else if (command == "isready") {
    engine();
    say("readyok");
  } else if (command == "stop" || command == "ponderhit") {
    end_search(command);
  } else if (command == "setoption") {
    set_option(line);
  } else if (command == "position") {
    take_position(words);
  } else if (command == "go") {
    go(words);
  } else if (command == "ucinewgame") {
    finish_search();
    engine().clear();
  } else if (command == "d") {
    describe();
  } else if (command != "debug" && command != "register") {  // on which nothing depends
    throw base::InputError("unknown command '" + command + "'");
  }
  return true;
}

void Uci::end_search(const std::string& command) {
  const bool running = owes_no_move_ || (engine_ && engine_->running());
  if (command == "stop") {
    if (!running) say("info string stop: there is no search under way");
    finish_search();
  } else if (running && pondering_) {
    pondering_ = false;
    owes_no_move_ ? finish_search() : engine_->ponder_hit();
  } else {
    say("info string ponderhit: there is no search that ponders");
  }
}

void Uci::identify() {
  std::string text = "id name sharpzero " SHARPZERO_VERSION "\nid author The sharpzero authors\n";
  for (const auto& [key, option] : options_) {
    text += "option name " + option.name + " " + option.announcement + "\n";
  }
  say(text + "uciok");
}

// setoption name NAME [value VALUE]: the value is all that follows, with the spaces in it.
void Uci::set_option(const std::string& line) {
  std::istringstream text(line);
  std::string word, name, value;
  text >> word >> word;
  if (word == "name") {
    while (text >> word && word != "value") name += (name.empty() ? "" : " ") + word;
  }
  if (name.empty()) throw base::InputError("setoption: expected name NAME value VALUE");
  std::getline(text >> std::ws, value);
  value.erase(value.find_last_not_of(" \t\r") + 1);
  const auto option = options_.find(lower(name));
  if (option == options_.end()) throw base::InputError("unknown option '" + name + "'");
  const auto change = option->second.read(value);
  finish_search();
  change();
}

// A position that is refused changes nothing, but that there is none to search.
void Uci::take_position(const Words& words) try {
  set_position(words);
  refused_.clear();
} catch (const std::exception& error) {
  refused_ = error.what();
  throw;
}

// position startpos|fen F [moves ...]
void Uci::set_position(const Words& words) {
  const auto moves_at = std::find(words.begin(), words.end(), "moves");
  rules::Line line(rules::Position::start(settings_.rules));
  if (words.size() > 1 && words[1] == "fen") {
    line = rules::Line(
        rules::Position::from_fen(joined(words.begin() + 2, moves_at), settings_.rules));
  } else if (words.size() < 2 || words[1] != "startpos" || moves_at > words.begin() + 2) {
    throw base::InputError("position: expected startpos or fen F, then perhaps moves");
  }
  for (auto move = moves_at; move != words.end() && ++move != words.end();) line.play(*move);
  finish_search();
  line_ = std::move(line);
}

void Uci::go(const Words& words) {
  auto [limits, error] = read_go(words, line_.position);
  limits.multi_pv = multi_pv_;
  finish_search();
  if (!error.empty()) say_error(error);
  pondering_ = limits.ponder;
  const bool chance = line_.position.is_chance();
  if (!refused_.empty()) say_error("no move, for the position was refused: " + refused_);
  if (!refused_.empty() || chance || line_.position.forced_outcome(table_)) {
    if (refused_.empty() && chance)
      say("info string a card is being drawn: give it as ?N in position ... moves");
    owes_no_move_ = true;
    if (!limits.infinite && !limits.ponder) finish_search();
    return;
  }
  if (answer_by_book(limits)) return;
  try {
    engine::Engine& search = engine();
    search.set_position(line_.position, table_, line_.past);
    search.start(limits, [this, lines = multi_pv_](const tactics::SearchReport& report) {
      say_report(report, lines);
    });
  } catch (const std::exception& problem) {  // no memory, or no thread to search with
    pondering_ = false;
    say_error(problem.what());
    say("bestmove " + rules::to_uci(engine::unsearched_move(line_.position, limits)));
  }
}

bool Uci::answer_by_book(const tactics::SearchLimits& limits) {
  const bool plays = !limits.infinite && !limits.ponder && limits.search_moves.empty();
  if (!own_book_ || !book_ || !plays || book_->terms().table != table_) return false;
  const std::optional<int> at = book_->find(line_.position);
  if (!at || !book::best_edge(*book_, book_->node(*at))) return false;
  const book::Bounds& points = book_->node(*at).points;
  const double value_stm = rules::value_stm(points.value, line_.position.side_to_move());
  const std::vector<rules::Move> moves = book::main_line(*book_, line_.position, *at);
  std::string line;
  for (const rules::Move move : moves) line += " " + rules::to_uci(move);
  say(fmt::format(
      "info string book: White {:.2f} [{:.2f}, {:.2f}]\ninfo depth {} score cp {} pv{}\n"
      "bestmove {}",
      points.value, points.low, points.high, moves.size(),
      centipoints(static_cast<float>(value_stm)), line, rules::to_uci(moves.front())));
  return true;
}

void Uci::say_report(const tactics::SearchReport& report, int lines) {
  std::string text;
  const auto shown = std::min<std::size_t>(static_cast<std::size_t>(lines), report.moves.size());
  const std::string hits =
      tablebase_ ? fmt::format(" tbhits {}", report.tablebase_hits) : std::string();
  for (std::size_t i = 0; i < shown; ++i) {
    const tactics::RootMove& move = report.moves[i];
    text += fmt::format(
        "info depth {} seldepth {} time {:.0f} nodes {} nps {:.0f}{} multipv {} score cp {} pv",
        report.depth, report.selective_depth, report.elapsed_ms, report.nodes, report.nodes_per_s,
        hits, i + 1, centipoints(move.value_stm));
    for (const rules::Move played : move.line) text += " " + rules::to_uci(played);
    text += '\n';
  }
  if (!report.error.empty()) say_error(report.error);
  if (report.final) {
    if (report.threads < threads_) {
      text += fmt::format("info string {} of {} threads: the machine gives no more\n",
                          report.threads, threads_);
    }
    const tactics::RootMove& best = report.moves.front();
    // Rounded once: it and the mover's cp are one figure.
    const int lead = std::abs(centipoints(best.value_stm));
    const double points_white = 5 + (report.points_white < 5 ? -lead : lead) / 100.0;
    text += fmt::format("info string points_white {:.2f} outcomes", points_white);
    for (const float share : report.best().outcomes) text += fmt::format(" {:.4f}", share);
    text += "\nbestmove " + rules::to_uci(best.move);
    if (best.line.size() > 1) text += " ponder " + rules::to_uci(best.line[1]);
    text += '\n';
  }
  if (!text.empty()) text.pop_back();
  say(text);
}

void Uci::describe() {
  const auto ended = line_.outcome(table_);
  say(render(line_.position) + "Fen: " + line_.position.to_fen() + "\nOutcome: " +
      (ended ? fmt::format("{}, White's points {:g}", rules::name(*ended),
                           table_.white_points(*ended))
             : "ongoing"));
}

engine::Engine& Uci::engine() {
  if (engine_) return *engine_;
  const int cores = base::usable_cores();
  threads_ = std::min(settings_.threads, cores);  // more only wait for each other
  const EngineOptions options{threads_, hash_mib_, static_cast<double>(move_overhead_ms_),
                              tablebase_};
  try {
    if (!backend_) {
      backend_ = load_(settings_.net);
      say("info string " + backend_->note);
    }
    engine_ = backend_->make_engine(options);
  } catch (const std::exception& error) {
    say_error(error.what());
    const Backend none = no_network();
    say("info string " + none.note);
    engine_ = none.make_engine(options);
  }
  if (const std::string note = memory_note(*engine_, options); !note.empty()) {
    say("info string " + note);
  }
  if (settings_.threads > cores) {
    say(fmt::format("info string Threads {}: {} will search, one on each core of this process",
                    settings_.threads, cores));
  }
  return *engine_;
}

void Uci::finish_search() {
  if (std::exchange(owes_no_move_, false)) {
    const bool chance = refused_.empty() && line_.position.is_chance();
    say(chance ? "bestmove 0000" : "bestmove (none)");
  }
  if (!engine_) return;
  engine_->stop();
  try {
    engine_->wait();
  } catch (const std::exception&) {  // say_report() has said it
  }
}

void Uci::say(const std::string& text) {
  const std::lock_guard lock(out_mutex_);
  out_ << text << std::endl;
}

void Uci::say_error(const std::string& message) {
  say("info string error: " + message.substr(0, message.find('\n')));
}

}  // namespace app
