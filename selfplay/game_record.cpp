#include "selfplay/game_record.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/block.h"
#include "base/errors.h"
#include "rules/history.h"

namespace selfplay {
namespace {

constexpr std::size_t kMaxRecord = 16u << 20;  // bytes; the longest game has less than two million
constexpr double kShareSteps = 65535;
constexpr double kValueSteps = 32767;

class Writer {
 public:
  template <class T>
  void put(T value) {
    static_assert(std::is_arithmetic_v<T>);
    add(std::as_bytes(std::span(&value, 1)));
  }
  void put_string(std::string_view text) {
    put(static_cast<std::uint16_t>(text.size()));
    add(std::as_bytes(std::span(text)));
  }
  const std::vector<std::byte>& bytes() const { return bytes_; }

 private:
  void add(std::span<const std::byte> more) {
    bytes_.insert(bytes_.end(), more.begin(), more.end());
  }
  std::vector<std::byte> bytes_;
};

// Reads what Writer wrote; throws InputError where the bytes end too early.
class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  template <class T>
  T get(const char* what) {
    T value;
    std::memcpy(&value, take(sizeof value, what).data(), sizeof value);
    return value;
  }
  std::string get_string(const char* what) {
    const auto bytes = take(get<std::uint16_t>(what), what);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  std::size_t left() const { return bytes_.size(); }

 private:
  std::span<const std::byte> take(std::size_t count, const char* what) {
    if (count > bytes_.size()) {
      throw base::InputError(std::string("the block ends within its ") + what);
    }
    const auto head = bytes_.first(count);
    bytes_ = bytes_.subspan(count);
    return head;
  }
  std::span<const std::byte> bytes_;
};

// Rounds shares to steps of 1/65535 that sum to 65535 exactly, by rounding the running sum; all
// zero stays all zero. `weight_of(i)` is the i-th share; a positive one becomes at least one step,
// which is taken from the largest.
template <class WeightOf>
std::vector<std::uint16_t> quantized(std::size_t count, WeightOf weight_of) {
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += weight_of(i);
  std::vector<std::uint16_t> steps(count, 0);
  if (!(sum > 0)) return steps;
  double upto = 0;
  long given = 0;
  for (std::size_t i = 0; i < count; ++i) {
    upto += weight_of(i);
    const long step = std::lround(upto / sum * kShareSteps) - given;
    steps[i] = static_cast<std::uint16_t>(weight_of(i) > 0 ? std::max(1L, step) : 0);
    given += steps[i];
  }
  const auto largest = std::max_element(steps.begin(), steps.end());
  *largest = static_cast<std::uint16_t>(*largest + static_cast<long>(kShareSteps) - given);
  return steps;
}

// Reads what quantized() made: `set(i, share)` gets each of `count` shares. Their sum is 1, or 0
// where that is allowed.
template <class Set>
void get_shares(Reader& in, std::size_t count, bool may_be_zero, const char* what, Set set) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto steps = in.get<std::uint16_t>(what);
    sum += steps;
    set(i, static_cast<float>(steps / kShareSteps));
  }
  if (sum != static_cast<std::uint64_t>(kShareSteps) && !(may_be_zero && sum == 0)) {
    throw base::InputError(std::string(what) + " that do not sum to 1");
  }
}

void put_table(Writer& out, const rules::ScoringTable& table) {
  const bool is_default = table == rules::ScoringTable{};
  out.put(static_cast<std::uint8_t>(is_default ? 0 : 1));
  if (is_default) return;
  for (const double points : table.points_white) out.put(points);
  for (const double value : table.material) out.put(value);
}

rules::ScoringTable get_table(Reader& in) {
  rules::ScoringTable table;
  const auto kind = in.get<std::uint8_t>("scoring table");
  if (kind > 1)
    throw base::InputError("kind of scoring table " + std::to_string(kind) + ", expected 0 or 1");
  if (kind == 0) return table;
  const auto read = [&in](double& value) {
    value = in.get<double>("scoring table");
    if (!std::isfinite(value)) throw base::InputError("a value of the scoring table is not finite");
  };
  std::for_each(table.points_white.begin(), table.points_white.end(), read);
  std::for_each(table.material.begin(), table.material.end(), read);
  return table;
}

void put_ply(Writer& out, const PlyRecord& ply) {
  out.put(ply.played.raw());
  out.put(static_cast<std::uint8_t>(ply.is_target));
  out.put(static_cast<std::int16_t>(std::lround(ply.root_value_stm * kValueSteps)));
  const auto outcomes = quantized(ply.root_outcomes_white.size(), [&](std::size_t i) {
    return double{ply.root_outcomes_white[i]};
  });
  for (const std::uint16_t steps : outcomes) out.put(steps);
  const auto weights =
      quantized(ply.policy.size(), [&](std::size_t i) { return double{ply.policy[i].weight}; });
  out.put(static_cast<std::uint16_t>(weights.size()));
  for (const mcts::MoveWeight& entry : ply.policy) out.put(entry.move.raw());
  for (const std::uint16_t steps : weights) out.put(steps);
}

rules::Move get_move(Reader& in) { return rules::Move::from_raw(in.get<std::uint16_t>("moves")); }

PlyRecord get_ply(Reader& in) {
  PlyRecord ply;
  ply.played = get_move(in);
  const auto flags = in.get<std::uint8_t>("flags");  // older records say more in the upper bits
  ply.is_target = (flags & 1) != 0;
  if (!ply.is_target && flags != 0) {
    throw base::InputError("flags " + std::to_string(flags) + ", expected 0 or an odd number");
  }
  const auto value = in.get<std::int16_t>("root values");
  if (value < -kValueSteps) throw base::InputError("a root value below -1");
  ply.root_value_stm = static_cast<float>(value / kValueSteps);
  get_shares(in, ply.root_outcomes_white.size(), true, "outcome shares",
             [&ply](std::size_t i, float share) { ply.root_outcomes_white[i] = share; });
  const std::size_t moves = in.get<std::uint16_t>("policy");
  if (moves * 4 > in.left()) throw base::InputError("a policy longer than the block");
  ply.policy.resize(moves);
  for (mcts::MoveWeight& entry : ply.policy) entry.move = get_move(in);
  get_shares(in, moves, moves == 0, "policy weights",
             [&ply](std::size_t i, float share) { ply.policy[i].weight = share; });
  return ply;
}

template <class Enum>
Enum get_enum(Reader& in, int count, const char* what) {
  const auto value = in.get<std::uint8_t>(what);
  if (value >= count) {
    throw base::InputError(std::string(what) + " " + std::to_string(value) + ", expected below " +
                           std::to_string(count));
  }
  return static_cast<Enum>(value);
}

}  // namespace

std::string_view name(rules::Adjudication ended) {
  constexpr std::array<std::string_view, rules::kAdjudications> kNames{"rules", "resignation",
                                                                       "fast_fifty", "tablebase"};
  return kNames[static_cast<std::size_t>(ended)];
}

rules::Position GameRecord::start() const { return rules::Position::from_fen(start_fen, rules); }

std::vector<std::byte> encode(const GameRecord& record) {
  Writer out;
  out.put_string(record.rules.name());
  out.put_string(record.start_fen);
  out.put(static_cast<std::int32_t>(record.generation));
  out.put(record.seed);
  out.put(static_cast<std::uint8_t>(record.outcome));
  out.put(static_cast<std::uint8_t>(record.ended));
  put_table(out, record.table);
  out.put(static_cast<std::uint32_t>(record.plies.size()));
  for (const PlyRecord& ply : record.plies) put_ply(out, ply);

  return base::pack(out.bytes());
}

GameRecord decode(std::span<const std::byte> block) {
  constexpr std::size_t kPlyBytes = 2 + 1 + 2 + 2 * rules::kOutcomes + 2;  // at least
  const std::vector<std::byte> payload = base::unpack(block, kMaxRecord);
  Reader in(payload);
  GameRecord record;
  try {
    record.rules = rules::RuleSet::parse(in.get_string("rule set"));
  } catch (const rules::RulesError& error) {
    throw base::InputError(error.what());
  }
  record.start_fen = in.get_string("start position");
  record.generation = in.get<std::int32_t>("generation");
  record.seed = in.get<std::uint64_t>("seed");
  record.outcome = get_enum<rules::Outcome>(in, rules::kOutcomes, "outcome");
  record.ended = get_enum<rules::Adjudication>(in, rules::kAdjudications, "end");
  record.table = get_table(in);
  const std::size_t plies = in.get<std::uint32_t>("length");
  if (plies > in.left() / kPlyBytes) throw base::InputError("more plies than the block holds");
  record.plies.reserve(plies);
  for (std::size_t i = 0; i < plies; ++i) record.plies.push_back(get_ply(in));
  if (in.left() != 0) throw base::InputError(std::to_string(in.left()) + " bytes too many");
  return record;
}

bool is_quiet(const rules::Position& position, rules::Move played) {
  return !played.is_promotion() && !position.captured_by(played) &&
         !position.in_check(position.side_to_move()) && !position.can_capture_king();
}

std::vector<rules::Position> replay(const GameRecord& record) {
  std::vector<rules::Position> positions;
  positions.reserve(record.plies.size() + 1);
  try {
    positions.push_back(record.start());
  } catch (const rules::RulesError& error) {
    throw base::InputError(error.what());
  }
  for (const PlyRecord& ply : record.plies) {
    if (!positions.back().is_legal(ply.played)) {
      throw base::InputError("the move at ply " + std::to_string(positions.size()) +
                             " is not legal");
    }
    positions.push_back(positions.back().after(ply.played));
  }
  return positions;
}

namespace {

constexpr double kMostMaterial = 100;

void require(bool holds, const std::string& otherwise) {
  if (!holds) throw base::InputError(otherwise);
}

void check_table(const rules::ScoringTable& table) {
  const auto within = [](double most) {
    return [most](double value) { return value >= 0 && value <= most; };
  };
  require(std::ranges::all_of(table.points_white, within(10)), "points beyond 0 to 10");
  require(std::ranges::all_of(table.material, within(kMostMaterial)),
          "a piece's value beyond 0 to 100");
}

void check_policy(const PlyRecord& ply, const rules::Position& position, std::size_t number) {
  for (const mcts::MoveWeight& entry : ply.policy) {
    require(position.is_legal(entry.move),
            "a move of the policy at ply " + std::to_string(number) + " is not legal");
  }
}

// The game is over after its last move, and not before.
void check_end(const GameRecord& game, const std::vector<rules::Position>& positions) {
  rules::History past;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const auto outcome = positions[i].outcome(game.table, past.occurrences(positions[i]));
    if (i + 1 < positions.size()) {
      require(!outcome, "goes on after its end at ply " + std::to_string(i));
    } else {
      require(outcome.has_value(), "is not over");
      require(*outcome == game.outcome, "ends with another outcome than it says");
    }
    past.add(positions[i]);
  }
}

}  // namespace

GameRecord checked_game(std::span<const std::byte> block, const GameTerms& terms) {
  GameRecord game = decode(block);
  require(terms.repertoire.contains(game.rules),
          "played under " + game.rules.name() + ", the run plays " + terms.repertoire.name());
  require(game.generation >= 1 && game.generation <= terms.generation,
          "of generation " + std::to_string(game.generation) + ", expected 1 to " +
              std::to_string(terms.generation));
  require(game.seed != 0, "without a seed");
  require(game.ended == rules::Adjudication::kNone, "adjudicated, not ended by the rules");
  require(!game.plies.empty(), "without moves");
  check_table(game.table);
  const std::vector<rules::Position> positions = replay(game);
  for (std::size_t i = 0; i < game.plies.size(); ++i) {
    check_policy(game.plies[i], positions[i], i + 1);
  }
  check_end(game, positions);
  return game;
}

}  // namespace selfplay
