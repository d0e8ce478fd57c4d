#pragma once
// What the commands that study a network share.

#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/options.h"
#include "nn/checkpoint.h"
#include "nn/inference.h"
#include "selfplay/game_store.h"
#include "studies/self_games.h"

namespace app {

// Where a study of the network keeps its games and answers: --out, else studies/ in the run that
// the network belongs to, else studies/ and its name. Throws base::InputError where --out is a
// run's own folder.
std::filesystem::path study_folder(const StudyOptions& asked, const std::filesystem::path& network);

// A network, and the folder that holds its games and answers.
class Study {
 public:
  // Writes nothing yet. Throws base::InputError, nn::CheckpointError or
  // base::EnvironmentError.
  Study(const StudyOptions& asked, const CommonOptions& common);

  const std::string& name() const { return name_; }
  rules::RuleSet rules() const;
  const std::filesystem::path& folder() const { return folder_; }
  const std::filesystem::path& source() const { return source_; }  // where the network came from
  // Studies another network (a checkpoint of the same run) from now on.
  void take(const std::filesystem::path& network);

  studies::SelfGamesConfig config(int simulations, const rules::ScoringTable& table) const;
  studies::EvaluatorFactory evaluator() const;
  // Plays those of the games that are missing, with progress; empty where it was stopped.
  std::vector<selfplay::GameRecord> games(const studies::SelfGamesConfig& config);
  // Games of another folder instead, those that no network has learned from, in order: the newest
  // --games of a run's held-out ones, or of all in a folder that is no run. Throws
  // base::InputError where there are none, or they are of rules that the network does not play.
  std::vector<selfplay::GameRecord> unseen(const std::filesystem::path& folder) const;
  // write_answer() into its folder.
  std::filesystem::path write(const std::string& file, const std::string& text) const;

 private:
  const StudyOptions& asked_;
  const CommonOptions& common_;
  std::filesystem::path source_;
  std::string name_;
  std::filesystem::path folder_;
  std::string device_;
  std::shared_ptr<const nn::NetworkFile> network_;
  std::uint64_t player_ = 0;
  std::optional<nn::PlayingNetwork> playing_;
  int batch_ = 0;
  std::unique_ptr<selfplay::GameStore> store_;  // once games are asked for
};

// Writes a study's answer into the folder, which is made where it is missing, and the report anew:
// the run's where it is a run's studies/, else the folder's own. Returns the report's path. Throws
// base::EnvironmentError.
std::filesystem::path write_answer(const std::filesystem::path& folder, const std::string& file,
                                   const std::string& text);

// Prints the answer, as JSON where asked, else as the text and the report's path; the exit code.
int print_answer(const CommonOptions& common, const nlohmann::ordered_json& answer,
                 const std::string& text, const std::filesystem::path& report);

// Says on stderr (JSON on stdout, where asked) that a study was stopped; the exit code. The folder
// keeps what was finished; empty: nothing was kept.
int stopped(const CommonOptions& common, const std::filesystem::path& folder = {});

}  // namespace app
