#include "studies/words.h"

#include <fmt/format.h>

#include <cmath>

namespace studies {

using nlohmann::ordered_json;

ordered_json json_of(const std::optional<Estimate>& estimate) {
  return estimate ? to_json(*estimate) : ordered_json();
}

ordered_json json_of(const std::array<Estimate, rules::kOutcomes>& shares) {
  ordered_json list = ordered_json::array();
  for (const Estimate& share : shares) {
    const auto outcome = static_cast<rules::Outcome>(list.size());
    list.push_back({{"outcome", rules::name(outcome)}, {"share", to_json(share)}});
  }
  return list;
}

ordered_json json_of(const SelfGamesConfig& config) {
  return {{"network", config.name},
          {"generation", config.generation},
          {"simulations", config.simulations},
          {"table", config.table.to_changes(config.rules.table())},
          {"rules", config.rules.name()},
          {"start_fen", config.start ? nlohmann::ordered_json(config.start->to_fen()) : nullptr},
          {"opening_plies", config.opening_plies},
          {"temperature", config.temperature},
          {"seed", config.seed},
          {"seeds", config.seeds},
          {"precision", config.precision},
          {"search", fmt::format("{:016x}", config.search)}};
}

std::string text_of(const std::optional<Estimate>& estimate, int digits, double factor) {
  if (!estimate) return "-";
  const auto end = [&](double value) {
    return std::isfinite(value) ? fmt::format("{:.{}f}", factor * value, digits) : "?";
  };
  if (!std::isfinite(estimate->low) && !std::isfinite(estimate->high)) {
    return fmt::format("{:.{}f}", factor * estimate->mean, digits);  // of one observation
  }
  return fmt::format("{:.{}f} [{}, {}]", factor * estimate->mean, digits, end(estimate->low),
                     end(estimate->high));
}

std::string percent_of(const std::optional<Estimate>& share) { return text_of(share, 1, 100); }

std::string few_lines_warning(const Variety& variety, const SelfGamesConfig& config) {
  constexpr double kFewest = 0.1;  // effective positions a game
  const double effective = std::exp(variety.nats);
  if (effective >= kFewest * config.games) return "";
  return fmt::format(
      "these games follow few lines (after {} plies as varied as {:.0f} positions), and the figures "
      "hold for those lines, not for the game: --opening-plies above {} draws more of each game",
      variety.plies, effective, config.opening_plies);
}

void add_words(const std::vector<InWords>& words, Answer& answer) {
  answer.json["answers"] = ordered_json::array();
  for (const auto& [question, in_words] : words) {
    answer.json["answers"].push_back({{"question", question}, {"answer", in_words}});
    answer.text += question + "\n  " + in_words + "\n";
  }
}

}  // namespace studies
