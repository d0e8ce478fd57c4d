#include "studies/scoring.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "app/commands.h"
#include "app/scoring_table.h"
#include "app/study.h"
#include "base/errors.h"
#include "base/numbers.h"
#include "studies/advantage.h"
#include "studies/answers.h"

namespace app {
namespace {

using nlohmann::ordered_json;
using studies::GameFacts;

struct Sweep {
  std::string key;
  std::vector<double> values;
};

// KEY=a:b:n
Sweep parse_sweep(const std::string& text, const rules::ScoringTable& standard) {
  const auto refuse = [&] {
    throw base::InputError("--sweep " + text +
                           ": expected KEY=a:b:n, such as "
                           "impasse_equal=3:6:7, n a whole number from 2 to 100");
  };
  const auto equals = text.find('=');
  if (equals == std::string::npos) refuse();
  std::vector<double> numbers;
  for (std::size_t begin = equals + 1; begin <= text.size();) {
    const std::size_t end = std::min(text.find(':', begin), text.size());
    const auto value =
        base::parse_number<double>(std::string_view(text).substr(begin, end - begin));
    if (!value) refuse();
    numbers.push_back(*value);
    begin = end + 1;
  }
  if (numbers.size() != 3 || !std::isfinite(numbers[0]) || !std::isfinite(numbers[1])) refuse();
  if (!(numbers[2] >= 2 && numbers[2] <= 100 && numbers[2] == std::floor(numbers[2]))) refuse();
  Sweep sweep{text.substr(0, equals), {}};
  const int count = static_cast<int>(numbers[2]);
  for (int i = 0; i < count; ++i) {
    const double value = std::lerp(numbers[0], numbers[1], static_cast<double>(i) / (count - 1));
    sweep.values.push_back(std::round(value * 1000) / 1000);
    studies::table_with(sweep.key, sweep.values.back(),
                        standard);  // says what is wrong with it now
  }
  return sweep;
}

struct Stopped {};

// Answers for one network and number of simulations.
class Scoring {
 public:
  Scoring(const ScoringOptions& asked, Study& study)
      : asked_(asked),
        study_(study),
        standard_(study.rules().table()),
        starts_(studies::studied_starts(study.config(asked.sims, standard_))),
        evaluator_(study.evaluator()()) {
    default_games_ = games(standard_);
  }

  const std::vector<GameFacts>& default_games() const { return default_games_; }

  // Games under a table. Throws Stopped.
  std::vector<GameFacts> games(const rules::ScoringTable& table) {
    const auto records = study_.games(study_.config(asked_.sims, table));
    if (records.empty()) throw Stopped{};
    std::vector<GameFacts> facts;
    facts.reserve(records.size());
    for (const auto& record : records) {
      facts.push_back(studies::facts_of(record, asked_.study.opening_plies));
    }
    return facts;
  }

  double network(const rules::ScoringTable& table) {
    return studies::evaluated_points(starts_, table, *evaluator_);
  }

  // The three answers for a table, side by side.
  ordered_json entry(const rules::ScoringTable& table) {
    const auto config = study_.config(asked_.sims, table);
    const studies::Repriced repriced = studies::reprice(default_games_, table, standard_);
    ordered_json entry{{"table", table.to_changes(standard_)},
                       {"network", network(table)},
                       {"search", studies::searched_points(starts_, table, config.simulations,
                                                           config.search, *evaluator_)},
                       {"repriced", to_json(repriced.points_white)},
                       {"difference", to_json(repriced.difference)},
                       {"played", nullptr}};
    if (asked_.play && table != standard_) {
      entry["played"] = to_json(studies::points_white(games(table), table));
    }
    return entry;
  }

  ordered_json fair(const std::string& key, std::uint64_t seed) {
    studies::FairQuestion question;
    question.key = key;
    question.standard = standard_;
    question.network = [this](const auto& table) { return network(table); };
    question.play = [this](const auto& table) { return games(table); };
    return to_json(studies::find_fair(question, default_games_, base::Rng(seed)), key);
  }

 private:
  const ScoringOptions& asked_;
  Study& study_;
  const rules::ScoringTable standard_;
  const std::vector<rules::Position> starts_;
  std::unique_ptr<mcts::Evaluator> evaluator_;
  std::vector<GameFacts> default_games_;
};

// Everything that the command line names, checked before anything is played.
struct Questions {
  std::vector<rules::ScoringTable> tables;
  std::vector<Sweep> sweeps;

  Questions(const ScoringOptions& asked, rules::RuleSet rules) : tables{rules.table()} {
    for (const auto& table : asked.tables) tables.push_back(scoring_table(table, rules));
    for (const auto& sweep : asked.sweeps) sweeps.push_back(parse_sweep(sweep, rules.table()));
    for (const auto& key : asked.fair) {
      try {
        studies::table_with(key, studies::fair_range(key, rules.table()).second, rules.table());
      } catch (const rules::RulesError& error) {
        throw base::InputError("--fair " + key + ": " + error.what());
      }
    }
  }
};

ordered_json answer_of(const ScoringOptions& asked, const Questions& questions, Study& study,
                       std::uint64_t seed) {
  Scoring scoring(asked, study);
  ordered_json answer{{"study", "scoring"}, {"format_version", 1}};
  answer.update(studies::to_json(study.config(asked.sims, study.rules().table()), study.name()));
  answer["games"] = asked.study.games;
  answer["distinct_games"] = studies::distinct_games(scoring.default_games());
  answer["tables"] = ordered_json::array();
  for (const auto& table : questions.tables) answer["tables"].push_back(scoring.entry(table));
  answer["fair"] = ordered_json::array();
  for (const auto& key : asked.fair) answer["fair"].push_back(scoring.fair(key, seed));
  answer["sweeps"] = ordered_json::array();
  for (const Sweep& sweep : questions.sweeps) {
    ordered_json points = ordered_json::array();
    for (const double value : sweep.values) {
      points.push_back({{"value", value}});
      points.back().update(
          scoring.entry(studies::table_with(sweep.key, value, study.rules().table())));
    }
    answer["sweeps"].push_back({{"key", sweep.key}, {"points", std::move(points)}});
  }
  answer["answers"] = studies::scoring_answers(answer);
  return answer;
}

}  // namespace

int run_scoring(const Options& options) {
  const ScoringOptions& asked = options.scoring;
  Study study(asked.study, options.common);
  const Questions questions(asked, study.rules());
  ordered_json answer;
  try {
    answer = answer_of(asked, questions, study, options.common.seed.value_or(1));
  } catch (const Stopped&) {
    return stopped(options.common, study.folder());
  }
  const auto report = study.write("scoring.json", answer.dump(1));
  return print_answer(
      options.common, answer,
      studies::scoring_text(answer) + "\n" + studies::answers_text(answer["answers"]), report);
}

}  // namespace app
