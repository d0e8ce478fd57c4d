#include "arena/player.h"

#include <stdexcept>

#include "arena/alphabeta_player.h"
#include "arena/search_player.h"
#include "arena/simple_players.h"
#include "arena/uci_player.h"
#include "base/errors.h"
#include "base/text.h"
#include "mcts/evaluator.h"

namespace arena {
namespace {

[[noreturn]] void refuse(std::string_view spec, const std::string& message) {
  throw base::InputError("player '" + std::string(spec) + "': " + message);
}

// `text` as a number from 1 to `most`; otherwise InputError naming `spec`.
int number(std::string_view spec, std::string_view text, int most) {
  return static_cast<int>(base::whole_number("player '" + std::string(spec) + "':", text, 1, most));
}

// Takes `head` off the front of `text`, if it is there.
bool take(std::string_view& text, std::string_view head) {
  if (!text.starts_with(head)) return false;
  text.remove_prefix(head.size());
  return true;
}

// Takes `key=VALUE:` off the front of `text`, if it is there.
std::optional<std::string> take_setting(std::string_view spec, std::string_view& text,
                                        std::string_view key) {
  const std::string_view whole = text;
  if (!take(text, key)) return std::nullopt;
  const std::string value(text.substr(0, text.find(':')));
  if (value.size() == text.size()) refuse(spec, "expected a ':' after " + std::string(whole));
  text.remove_prefix(value.size() + 1);
  return value;
}

UciOptions uci_options(std::string_view spec, const ReadTable& read_table) {
  UciOptions options;
  options.name = spec;
  std::string_view rest = spec;
  options.fairy = take(rest, "uci-fairy:");
  if (!options.fairy) take(rest, "uci:");
  int think = 100;
  int patience = 10;
  for (;;) {
    if (const auto nodes = take_setting(spec, rest, "nodes=")) {
      options.go = "nodes " + std::to_string(number(spec, *nodes, 2'000'000'000));
      think = 0;
    } else if (const auto time = take_setting(spec, rest, "movetime=")) {
      think = number(spec, *time, 3'600'000);
      options.go = "movetime " + std::to_string(think);
    } else if (const auto timeout = take_setting(spec, rest, "timeout=")) {
      patience = number(spec, *timeout, 3600);
    } else if (const auto hash = take_setting(spec, rest, "hash=")) {
      options.hash_mib = number(spec, *hash, 1 << 20);
    } else if (const auto table = take_setting(spec, rest, "table=")) {
      try {
        options.table = read_table(*table);
      } catch (const std::runtime_error& error) {
        refuse(spec, error.what());
      }
    } else {
      break;
    }
  }
  split_command(rest);  // says what is wrong with it now, not when the match begins
  options.command = rest;
  options.budget = std::chrono::milliseconds(think) + std::chrono::seconds(patience);
  return options;
}

}  // namespace

void OneGamePlayer::new_game(int slot, base::Rng rng) {
  const auto i = static_cast<std::size_t>(slot);
  if (i >= rngs_.size()) rngs_.resize(i + 1);
  rngs_[i] = rng;
}

void OneGamePlayer::choose(std::span<const GameView> games, std::span<Choice> choices) {
  for (std::size_t i = 0; i < games.size(); ++i) {
    choices[i] = choose_move(games[i], rngs_.at(static_cast<std::size_t>(games[i].slot)));
  }
}

std::optional<PlayerFactory> baseline_player(std::string_view spec, const ReadTable& read_table) {
  std::string_view rest = spec;
  if (spec == "random") return [] { return std::make_unique<RandomPlayer>(); };
  if (spec == "greedy") return [] { return std::make_unique<GreedyPlayer>(); };
  if (take(rest, "alphabeta:")) {
    AlphaBetaPlayerOptions options;
    options.name = spec;
    options.limits = {.depth = number(spec, rest, 30), .full_width = true};
    options.hash_mib = 1;
    return [options] { return std::make_unique<AlphaBetaPlayer>(nullptr, options); };
  }
  if (take(rest, "uniform:")) {
    SearchPlayerOptions options;
    options.name = spec;
    options.limits.nodes = static_cast<std::uint64_t>(number(spec, rest, 1'000'000));
    options.search.solver = true;
    return [options] {
      return std::make_unique<SearchPlayer>(std::make_unique<mcts::UniformEvaluator>(), options);
    };
  }
  if (spec.starts_with("uci:") || spec.starts_with("uci-fairy:")) {
    const UciOptions options = uci_options(spec, read_table);
    return [options] { return std::make_unique<UciPlayer>(options); };
  }
  return std::nullopt;
}

}  // namespace arena
