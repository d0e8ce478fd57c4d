#include "app/web/web_studies.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "app/commands/parts/study_answer.h"
#include "app/named/networks.h"
#include "base/errors.h"
#include "rules/outcome.h"
#include "training/page/report.h"

namespace app {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr int kMostGames = 2000;
constexpr int kMostSimulations = 10000;
// What a fair value is looked for.
constexpr std::array<std::string_view, 7> kFairKeys{
    "impasse_equal",    "stalemate",          "impasse_unequal",   "white_stalemated",
    "black_stalemated", "impasse_black_more", "impasse_white_more"};

// Whether answers or games of studies lie there.
bool has_answers(const fs::path& folder) {
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none)) {
    if (entry.path().extension() == ".json") return true;
  }
  return false;
}

std::vector<std::string> scoring_options(const ordered_json& asked) {
  std::vector<std::string> words;
  if (const std::string table = text_of(asked, "table"); !table.empty()) {
    static_cast<void>(rules::ScoringTable::from_changes(table));  // says what is wrong with it
    words.insert(words.end(), {"--table", table});
  }
  if (const std::string fair = text_of(asked, "fair"); !fair.empty()) {
    if (std::ranges::find(kFairKeys, fair) == kFairKeys.end()) {
      throw Refusal{400, "fair '" + base::one_line(fair) + "': expected a key such as stalemate"};
    }
    words.insert(words.end(), {"--fair", fair});
  }
  if (flag_of(asked, "play")) words.emplace_back("--play");
  return words;
}

}  // namespace

WebStudies::WebStudies(RunList& list, std::vector<std::string> program)
    : list_(list), program_(std::move(program)) {}

std::vector<WebStudies::Subject> WebStudies::subjects() const {
  std::vector<Subject> all;
  for (const ListedNetwork& one : listed_networks(list_)) {
    all.push_back({one.name, one.path, study_folder({}, one.path)});
  }
  return all;
}

WebReply WebStudies::handle(const std::string& method, const std::vector<std::string>& words,
                            const ordered_json& asked) {
  if (words.size() == 1 && method == "GET") {
    ordered_json names = ordered_json::array();
    for (const Subject& subject : subjects()) names.push_back(subject.name);
    return {200, {{"subjects", names}, {"keys", kFairKeys}, {"study", job()}}};
  }
  if (words.size() == 1 && method == "DELETE") {
    job_.stop();
    return {200, {{"study", job()}}};
  }
  if (words.size() != 2) throw Refusal{404, "there is nothing here"};
  const auto all = subjects();
  const auto subject = std::ranges::find(all, words[1], &Subject::name);
  if (subject == all.end()) throw Refusal{404, "there is no such network"};
  if (method == "POST") {
    start(*subject, asked);
    return {201, {{"study", job()}}};
  }
  if (method != "GET") throw Refusal{405, "there is nothing here to " + base::one_line(method)};
  if (has_answers(subject->answers)) return {200, training::report_data(subject->answers)};
  return {200, {{"name", subject->name}, {"studies", ordered_json::object()}}};
}

void WebStudies::start(const Subject& subject, const ordered_json& asked) {
  const std::string study = text_of(asked, "study");
  if (study != "advantage" && study != "scoring") {
    throw Refusal{400, "study '" + base::one_line(study) + "': expected advantage or scoring"};
  }
  const int games = number_of(asked, "games", 2, kMostGames).value_or(200);
  const auto simulations = number_of(asked, "simulations", 1, kMostSimulations);
  std::vector<std::string> words = program_;
  words.insert(words.end(),
               {study, "--net", subject.network.string(), "--games", std::to_string(games)});
  if (simulations) words.insert(words.end(), {"--sims", std::to_string(*simulations)});
  if (study == "scoring") {
    for (const std::string& word : scoring_options(asked)) words.push_back(word);
  }
  job_.start(words, {{"name", subject.name}, {"study", study}});
}

}  // namespace app
