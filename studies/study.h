#pragma once
// A study: options, and an answer that it gives of one network. A new one is a file of figures, a
// file of words and a line in registry.cpp.

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/command_option.h"
#include "studies/self_games.h"

namespace studies {

// Thrown where the user has stopped a study on its way.
struct Stopped {};

// What a study may ask for: a network, and games that it plays against itself.
class Subject {
 public:
  virtual ~Subject() = default;
  virtual std::string name() const = 0;
  virtual rules::RuleSet rules() const = 0;
  // "default" (the rule set's own), a list of changes to that, or a file with such changes. Throws
  // base::InputError or rules::RulesError.
  virtual rules::ScoringTable table(const std::string& text) const = 0;
  // At most so many checkpoints of the network's run, oldest first, itself the last. Throws
  // base::InputError where it is no run and more than itself is asked for.
  virtual std::vector<std::filesystem::path> checkpoints(int most) const = 0;
  // From now on the subject is this one of checkpoints().
  virtual void take(const std::filesystem::path& network) = 0;

  virtual std::unique_ptr<Thinker> thinker() const = 0;
  // 0 simulations: the network's usual number.
  virtual SelfGamesConfig config(int simulations, const rules::ScoringTable& table) const = 0;
  // self_games() of the config, which are kept. Throws Stopped.
  virtual std::vector<selfplay::GameRecord> games(const SelfGamesConfig& config) = 0;
  // Games of another folder instead, those that no network has learned from, in order: the newest
  // of a run's held-out ones, or of all in a folder that is no run. Throws base::InputError where
  // there are none, or they are of rules that the network does not play.
  virtual std::vector<selfplay::GameRecord> unseen(const std::filesystem::path& folder) const = 0;
};

// The help of an option that Subject::config() takes, 0 where it is not given.
inline constexpr const char* kSimsHelp =
    "simulations a move (default: 32), or an NNUE's nodes (default: those of the games it learned "
    "from)";
// The help of an option that Subject::table() reads.
inline constexpr const char* kTableHelp =
    "scoring table: default, changes such as impasse_equal=4.9,stalemate=2.2, or a TOML file";

struct Answer {
  nlohmann::ordered_json json;
  std::string text;  // the same for a terminal
};

struct Study {
  const std::string name;  // of the command, and of the file with the answer
  const std::string help;
  const std::string footer{};  // of a longer help

  Study(std::string called, std::string line, std::string more = "")
      : name(std::move(called)), help(std::move(line)), footer(std::move(more)) {}
  virtual ~Study() = default;
  // Beside those that all have: --net, --games, --opening-plies, --seeds and --out.
  virtual std::vector<base::CommandOption> options() = 0;
  // Throws Stopped, what the subject throws and, before anything is played, base::InputError where
  // an option is bad.
  virtual Answer run(Subject& subject) const = 0;
};

// In the order of the help.
std::vector<std::unique_ptr<Study>> all_studies();

}  // namespace studies
