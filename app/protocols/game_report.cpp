#include "app/protocols/game_report.h"

#include <algorithm>

#include "rules/perft.h"
#include "rules/position.h"
#include "rules/rule_details.h"

namespace app {

GameReport report_on(rules::RuleSet rules, int starts, int depth, std::uint64_t seed) {
  GameReport report;
  report.title = rules.title();
  report.name = rules.name();
  report.sentences = rules::sentences(rules);
  report.all_starts = starts_of(rules);
  starts = std::min(starts, report.all_starts);
  for (std::int64_t i = 0; i < starts; ++i) {
    const auto number = static_cast<int>(i * report.all_starts / starts);
    report.starts.push_back(rules::Position::start(rules, number).to_fen());
  }
  const rules::Position start = rules::Position::start(rules, 0);
  for (int plies = 1; plies <= depth; ++plies) report.perft.push_back(rules::perft(start, plies));
  report.trial = rules::try_out(rules, seed);
  report.suspicious = rules::suspicions(rules, report.trial);
  return report;
}

nlohmann::ordered_json game_report_json(const GameReport& report) {
  return {{"title", report.title},
          {"name", report.name},
          {"sentences", report.sentences},
          {"start", report.starts.front()},
          {"starts", report.all_starts},
          {"perft", report.perft},
          {"random_game", report.trial.first},
          {"plies", report.trial.plies},
          {"outcomes", report.trial.ends},
          {"suspicious", report.suspicious}};
}

}  // namespace app
