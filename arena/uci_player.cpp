#include "arena/uci_player.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "arena/simple_players.h"
#include "arena/variant_names.h"
#include "base/errors.h"
#include "base/program_files.h"
#include "rules/notation.h"

namespace arena {
namespace {

constexpr std::chrono::milliseconds kStartBudget{10000};
constexpr std::string_view kFairyVariant = "chesssharp-royal";

// What an engine without UCI_Variant is taken to know.
bool is_common(rules::RuleSet rules) {
  return rules == rules::RuleSet{} || rules == rules::kChess || rules == rules::kNoCastling ||
         rules == rules::kChess960;
}

// The word after `key` in a line of words; empty where there is none.
std::string word_after(std::string_view line, std::string_view key) {
  const auto at = line.find(key);
  if (at == std::string_view::npos) return {};
  const auto begin = line.find_first_not_of(" \t", at + key.size());
  if (begin == std::string_view::npos) return {};
  return std::string(line.substr(begin, line.find_first_of(" \t", begin) - begin));
}

// The first line that begins with `head`; empty where there is none.
std::string line_of(const std::vector<std::string>& lines, std::string_view head) {
  const auto line = std::ranges::find_if(
      lines, [head](const std::string& candidate) { return candidate.starts_with(head); });
  return line == lines.end() ? "" : *line;
}

// Any of sensible_moves(), all as likely.
rules::Move sensible_move(const rules::Position& position, base::Rng& rng) {
  rules::MoveList moves;
  sensible_moves(position, moves);
  return moves[rng.below(static_cast<std::uint32_t>(moves.size()))];
}

}  // namespace

std::string fen_for_fairy(const rules::Position& position) {
  std::string fen = position.to_fen();
  for (const rules::Color color : rules::kColors) {
    if (position.reserve(color, rules::PieceType::kQueen) == 0) continue;
    int others = 0;
    for (const auto piece : {rules::PieceType::kKing, rules::PieceType::kRook,
                             rules::PieceType::kBishop, rules::PieceType::kKnight}) {
      others += position.reserve(color, piece);
    }
    const char queen = color == rules::Color::kWhite ? 'Q' : 'q';
    if (others > 0) fen.erase(fen.find(queen, fen.find('[')), 1);
  }
  return fen;
}

UciPlayer::UciPlayer(UciOptions options) : options_(std::move(options)) { start(); }

void UciPlayer::new_game(int slot, base::Rng rng) {
  OneGamePlayer::new_game(slot, rng);
  new_game_ = true;
}

bool UciPlayer::send(const std::string& line) { return engine_->write_line(line, deadline_); }

std::optional<std::string> UciPlayer::read_until(std::string_view word,
                                                 std::vector<std::string>* seen) {
  while (auto line = engine_->read_line(deadline_)) {
    if (line->starts_with(word)) return line;
    if (seen != nullptr) seen->push_back(std::move(*line));
  }
  return std::nullopt;
}

void UciPlayer::start() {
  engine_ = std::make_unique<EngineProcess>(options_.command);
  deadline_ = Clock::now() + std::max(kStartBudget, options_.budget);
  announced_.clear();
  send("uci");
  if (!read_until("uciok", &announced_)) {
    throw base::EnvironmentError("engine '" + options_.command +
                                 "': no uciok; expected a UCI engine");
  }
  if (options_.table && !has_option("ScoringTable")) {
    throw base::InputError("engine '" + options_.command +
                           "': has no option ScoringTable; expected one, to be told table=");
  }
  if (has_option("Threads")) send("setoption name Threads value 1");
  if (options_.hash_mib > 0 && has_option("Hash")) {
    send("setoption name Hash value " + std::to_string(options_.hash_mib));
  }
  if (options_.fairy) {
    const std::string variants = (base::program_files() / "configs" / "chesssharp.ini").string();
    if (!std::filesystem::exists(variants)) {
      throw base::EnvironmentError(variants + ": there is no such file; Fairy-Stockfish needs it");
    }
    send("setoption name VariantPath value " + variants);
  }
  table_ = "default";
  if (!take_up({}) && options_.fairy) {
    throw base::EnvironmentError("engine '" + options_.command + "': does not know the variant " +
                                 std::string(kFairyVariant) + "; expected Fairy-Stockfish");
  }
}

std::optional<std::vector<std::string>> UciPlayer::settle() {
  std::vector<std::string> said;
  send("isready");
  return read_until("readyok", &said) ? std::optional(std::move(said)) : std::nullopt;
}

bool UciPlayer::has_option(const std::string& name) const {
  return !line_of(announced_, "option name " + name + " ").empty();
}

bool UciPlayer::take_up(rules::RuleSet rules) {
  const bool adapted = options_.fairy && rules == rules::RuleSet{};
  const std::string variant =
      adapted ? std::string(kFairyVariant) : variant_for(listed_variants(), rules);
  if (options_.fairy || has_option("UCI_Variant")) {
    send("setoption name UCI_Variant value " + variant);
  }
  if (has_option("UCI_Chess960")) {
    const bool chess960 = rules.castling == rules::Castling::kChess960;
    send(std::string("setoption name UCI_Chess960 value ") + (chess960 ? "true" : "false"));
  }
  const auto answers = settle();
  if (!answers) {
    throw base::EnvironmentError("engine '" + options_.command + "': no readyok");
  }
  rules_.reset();
  if (knows(rules, variant, *answers)) rules_ = rules;
  return rules_.has_value();
}

// `answers`: what it said to being told the variant.
bool UciPlayer::knows(rules::RuleSet rules, const std::string& variant,
                      const std::vector<std::string>& answers) const {
  if (rules.castling == rules::Castling::kChess960 && !has_option("UCI_Chess960")) return false;
  if (options_.fairy && rules.in_chess_sharp_family() && rules != rules::RuleSet{}) return false;
  if (!line_of(answers, "info string variant " + variant).empty()) return true;
  if (!options_.fairy && !has_option("UCI_Variant")) return is_common(rules);
  const std::vector<std::string> listed = listed_variants();
  return std::ranges::find(listed, variant) != listed.end();
}

std::vector<std::string> UciPlayer::listed_variants() const {
  return combo_values(line_of(announced_, "option name UCI_Variant "));
}

std::optional<std::string> UciPlayer::ask(const GameView& game) {
  const std::string table = options_.table.value_or(*game.table).to_changes(rules_->table());
  const bool new_game = std::exchange(new_game_, false);
  const bool new_table = has_option("ScoringTable") && std::exchange(table_, table) != table;
  if (new_table) send("setoption name ScoringTable value " + table);
  if (new_game) send("ucinewgame");
  // What that takes, as clearing a large table does, is not the move's time.
  if ((new_game || new_table) && !settle()) return std::nullopt;
  deadline_ = Clock::now() + options_.budget;
  std::string position = "position fen ";
  if (options_.fairy && rules_ == rules::RuleSet{}) {
    position += fen_for_fairy(*game.position);
  } else {
    position += game.start->to_fen();
    if (!game.moves.empty()) position += " moves";
    for (const rules::Move move : game.moves) position += " " + rules::to_uci(move);
  }
  if (!send(position) || !send("go " + options_.go)) return std::nullopt;
  return read_until("bestmove", nullptr);
}

Choice UciPlayer::choose_move(const GameView& game, base::Rng& rng) {
  const rules::RuleSet rules = game.position->rule_set();
  if (!engine_) start();
  deadline_ = Clock::now() + std::max(kStartBudget, options_.budget);
  if (rules_ != rules && !take_up(rules)) {
    throw base::InputError(options_.name + ": does not play the rule set " + rules.title());
  }
  if (options_.fairy && game.position->can_capture_king()) {
    return {sensible_move(*game.position, rng)};
  }
  const auto answer = ask(game);
  if (answer) return read_answer(game, word_after(*answer, "bestmove"), rng);
  const bool late = Clock::now() >= deadline_;
  engine_.reset();
  return {{}, late ? "no answer in time" : "the engine is gone"};
}

Choice UciPlayer::read_answer(const GameView& game, const std::string& move, base::Rng& rng) const {
  try {
    return {rules::parse_uci(*game.position, move)};
  } catch (const rules::RulesError& error) {
    if (!options_.fairy || rules_ != rules::RuleSet{}) return {{}, error.what()};
    const StandIn stand_in = move == "(none)" ? StandIn::kForNoMove : StandIn::kForIllegalMove;
    return {sensible_move(*game.position, rng), {}, stand_in};
  }
}

}  // namespace arena
