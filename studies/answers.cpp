#include "studies/answers.h"

#include <fmt/format.h>

namespace studies {
namespace {

using nlohmann::ordered_json;

std::string percent(const ordered_json& share) { return estimate_text(share, 1, 100) + " %"; }

std::string points_text(const ordered_json& value) {
  return value.is_null() ? "-" : fmt::format("{:.2f}", value.get<double>());
}

std::string first_move_answer(const ordered_json& sets) {
  std::string text;
  for (const auto& set : sets) {
    text += fmt::format("{}{} of ten at {} simulations (generation {}, {} different games)",
                        text.empty() ? "White scores " : "; ", estimate_text(set["points_white"]),
                        set["simulations"].dump(), set["generation"].dump(),
                        set["distinct_games"].dump());
  }
  const auto& start = sets.back()["start"];
  return text + fmt::format(
                    ". The newest network's own value of the start is {}, its search's {} "
                    "({} simulations).",
                    points_text(start["network"]), points_text(start["deep_search"]),
                    start["deep_simulations"].dump());
}

std::string king_first_answer(const ordered_json& set) {
  const auto& best = set["king_first"];
  const auto move = [&](const char* kind) {
    return best[kind].is_null() ? std::string("there is none")
                                : fmt::format("{} with {}", best[kind]["move"].get<std::string>(),
                                              points_text(best[kind]["searched"]));
  };
  std::string text = fmt::format(
      "White placed its king at its first turn in {} of the games, Black in {}. "
      "By searches of each first move White's best one with the king is {} points, "
      "the best other one {}.",
      percent(set["placing"]["white"]["king"]["first"]),
      percent(set["placing"]["black"]["king"]["first"]), move("king"), move("other"));
  for (const char* colour : {"white", "black"}) {
    const auto& own = best[colour];
    if (own["points_first"].is_null() || own["points_later"].is_null()) continue;
    text += fmt::format(" {} scored {} with the king first, {} with it later.",
                        std::string(colour) == "white" ? "White" : "Black",
                        estimate_text(own["points_first"]), estimate_text(own["points_later"]));
  }
  return text;
}

std::string placing_answer(const ordered_json& set) {
  std::string text;
  for (const char* colour : {"white", "black"}) {
    const auto& own = set["placing"][colour];
    text +=
        fmt::format("{}{}'s king at its turn {} on average, its queen at {} (never in {})",
                    text.empty() ? "" : "; ", std::string(colour) == "white" ? "White" : "Black",
                    estimate_text(own["king"]["turn"]), estimate_text(own["queen"]["turn"]),
                    percent(own["queen"]["never"]));
  }
  return text + ".";
}

std::string variety_answer(const ordered_json& set) {
  std::string text =
      fmt::format("In {} games, mirror images being the same: ", set["games"].dump());
  const char* between = "";
  for (const auto& depth : set["variety"]) {
    text += fmt::format(
        "{}after {} plies {} different positions, as varied as {:.1f} equally likely ones", between,
        depth["plies"].dump(), depth["different"].dump(), depth["effective"].get<double>());
    between = "; ";
  }
  return text + fmt::format(" (the first {} plies are drawn at temperature {:g}).",
                            set["opening_plies"].dump(), set["temperature"].get<double>());
}

std::string bishops_answer(const ordered_json& set) {
  const auto& bishops = set["bishops"];
  return fmt::format(
      "{} of the sides that placed both ({}) had them on one colour; such a side "
      "scored {} points over the mean of its colour.",
      percent(bishops["share"]), bishops["sides"].dump(), estimate_text(bishops["excess_points"]));
}

std::string question_of(const std::string& table) {
  if (table == "impasse_equal=4.9") return "An equal impasse 51 : 49 instead of 6 : 4 for Black?";
  if (table == "stalemate=2.2") return "A stalemate 78 : 22 instead of 80 : 20?";
  if (table == "bishop=3.25") return "A bishop worth 3.25 instead of 3?";
  return "What would " + table + " do?";
}

std::string table_answer(const ordered_json& entry, const ordered_json& before) {
  std::string text = fmt::format(
      "The same games pay White {} instead of {}: {} more. The network expects {} instead of {}, "
      "its search {} instead of {}.",
      estimate_text(entry["repriced"]), estimate_text(before["repriced"]),
      estimate_text(entry["difference"], 3), points_text(entry["network"]),
      points_text(before["network"]), points_text(entry["search"]), points_text(before["search"]));
  if (!entry["played"].is_null()) {
    text += " New games under it pay " + estimate_text(entry["played"]) + ".";
  }
  return text;
}

std::string fair_answer(const ordered_json& fair) {
  const std::string key = fair["key"].get<std::string>();
  const std::string network =
      fair["network"].is_null() ? "no value from 0 to 10" : points_text(fair["network"]);
  const std::string aside = fmt::format(
      "By the network alone: {}. By the default table's games "
      "re-priced: {}.",
      network,
      fair["repriced"].is_null() ? "no value from 0 to 10" : estimate_text(fair["repriced"]));
  if (fair["rounds"].empty()) return "None was found. " + aside;
  const auto& last = fair["rounds"].back();
  const std::string found = fair["played"].is_null()
                                ? std::string("No value re-prices the last games to 5")
                                : key + " = " + estimate_text(fair["played"]);
  return fmt::format("{}: games played at {} paid White {}, an interval that {} 5. {}", found,
                     points_text(last["value"]), estimate_text(last["points_white"]),
                     fair["confirmed"].get<bool>() ? "holds" : "leaves out", aside);
}

}  // namespace

std::string estimate_text(const ordered_json& estimate, int digits, double factor) {
  if (estimate.is_null()) return "-";
  const auto end = [&](const char* key) {
    const auto& value = estimate[key];
    return value.is_null() ? "?" : fmt::format("{:.{}f}", factor * value.get<double>(), digits);
  };
  return fmt::format("{} [{}, {}]", end("mean"), end("low"), end("high"));
}

ordered_json advantage_answers(const ordered_json& advantage) {
  const auto& sets = advantage["sets"];
  const auto& newest = sets.back();
  ordered_json answers = ordered_json::array(
      {{{"question", "How large is the first move's advantage?"},
        {"answer", first_move_answer(sets)}},
       {{"question", "How varied are the openings?"}, {"answer", variety_answer(newest)}}});
  if (!newest.contains("placing")) return answers;
  answers.insert(
      answers.begin() + 1,
      {{{"question", "Must the king be placed first?"}, {"answer", king_first_answer(newest)}},
       {{"question", "When are king and queen placed?"}, {"answer", placing_answer(newest)}}});
  answers.push_back(
      {{"question", "Both bishops on one colour?"}, {"answer", bishops_answer(newest)}});
  return answers;
}

ordered_json scoring_answers(const ordered_json& scoring) {
  ordered_json answers = ordered_json::array();
  const auto& tables = scoring["tables"];
  for (std::size_t i = 1; i < tables.size(); ++i) {
    answers.push_back({{"question", question_of(tables[i]["table"].get<std::string>())},
                       {"answer", table_answer(tables[i], tables[0])}});
  }
  for (const auto& fair : scoring["fair"]) {
    answers.push_back({{"question", "At which " + fair["key"].get<std::string>() +
                                        " does White expect 5 of ten?"},
                       {"answer", fair_answer(fair)}});
  }
  return answers;
}

std::string answers_text(const ordered_json& answers) {
  std::string text;
  for (const auto& entry : answers) {
    text +=
        entry["question"].get<std::string>() + "\n  " + entry["answer"].get<std::string>() + "\n";
  }
  return text;
}

}  // namespace studies
