// The commands of the studies.
#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <iostream>
#include <memory>
#include <optional>
#include <vector>

#include "app/command.h"
#include "app/commands/parts/study_answer.h"
#include "app/machine.h"
#include "app/named/paths.h"
#include "app/named/players.h"
#include "app/named/scoring_table.h"
#include "app/progress.h"
#include "arena/network_player.h"
#include "base/errors.h"
#include "base/files.h"
#include "base/stopwatch.h"
#include "nn/inference.h"
#include "nn/nnue_file.h"
#include "nn/torch_threads.h"
#include "selfplay/network_evaluator.h"
#include "tactics/alphabeta.h"
#include "training/learner/game_window.h"
#include "training/settings/run_config.h"

namespace app {
namespace {

constexpr const char* kKept =
    R"(The games are kept in DIR/games.db. Ctrl-C stops (exit code 130): run the same command to
continue. Games that are there are not played again, whatever study they were played for.
The answer is written to DIR too, and shown by the report of the run (of DIR, where there is
no run).)";

std::optional<std::uint64_t> search_version(const std::string& text) {
  std::uint64_t version = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, version, 16);
  return error == std::errc{} && stop == end ? std::optional(version) : std::nullopt;
}

class StudyCommand final : public Command {
 public:
  explicit StudyCommand(std::unique_ptr<studies::Study> study)
      : Command(study->name, study->help,
                study->of_players(1) != nullptr ? study->footer
                : study->footer.empty()         ? kKept
                                                : std::string(kKept) + "\n\n" + study->footer),
        study_(std::move(study)) {
    const bool of_players = study_->of_players(1) != nullptr;
    if (!of_players) options = options_of_all();
    for (CommandOption& own : study_->options()) options.push_back(std::move(own));
  }
  int run(const CommonOptions& common) const override;

 private:
  std::vector<CommandOption> options_of_all() {
    return {
        {"--net", "NET",
         "network or NNUE: a checkpoint, a run or a file (default: the NNUE that comes with the "
         "program)",
         &asked_.net},
        {"--games", "N", "games of each kind", &asked_.games},
        CommandOption("--opening-plies", "N",
                      "first plies, drawn by the searches' visits; then the best move, no noise",
                      &asked_.opening_plies)
            .range(0, 1000),
        CommandOption("--seeds", "N", "spread the games over N seeds, starting with --seed",
                      &asked_.seeds)
            .range(1, 1000),
        {"--fen", "FEN", "where games begin (default: the start)", &asked_.fen},
        {"--precision", "P",
         "a residual network's, as `match` takes it: which is the fastest is measured, so name one "
         "where kept games are to be found again",
         &asked_.precision},
        CommandOption(
            "--search", "HEX",
            "play nothing, but take the kept games of an NNUE that this alpha-beta search "
            "played: alphabeta_signature of `bench nnue` then, or 0 where the games were "
            "kept before that was noted",
            &search_)
            .refused_by([](const std::string& text) {
              return search_version(text) ? "" : "expected a hexadecimal number";
            }),
        {"--out", "DIR",
         "folder (default: studies/ in the network's run, else studies/ and its name)",
         &asked_.out}};
  }

  StudyOptions asked_;
  std::string search_;  // empty: the program's own
  std::unique_ptr<studies::Study> study_;
};

namespace fs = std::filesystem;

// What is studied where none is named.
fs::path default_studied() {
  const std::vector<fs::path> all = networks_that_come_along();
  return all.empty() ? default_network() : all.front();  // throws: there is none
}

const std::string kFastest = StudyOptions{}.precision;
constexpr int kGamesAtOnce = 64, kGamesAtOnceOnDevice = 512;  // in each thread

std::string duration(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s", seconds);
  if (seconds < 5400) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

// The network that the command line names; games are kept in its study's folder.
class Network final : public studies::Subject {
 public:
  Network(const std::string& command, const StudyOptions& asked, const CommonOptions& common)
      : command_(command),
        asked_(asked),
        common_(common),
        source_(asked_.net.empty() ? default_studied() : fs::path(asked_.net)),
        device_(device(common)),
        batch_(device_ == "cpu" ? kGamesAtOnce : kGamesAtOnceOnDevice) {
    take(source_);
    folder_ = study_folder(asked_, source_);
    if (asked_.fen.empty()) return;
    start_ = rules::Position::from_fen(asked_.fen, rules());
    if (start_->outcome(rules().table())) {
      throw base::InputError(command_ + ": --fen " + asked_.fen + ": the game is over there");
    }
  }

  const fs::path& folder() const { return folder_; }
  std::string name() const override { return study_name(source_); }
  rules::RuleSet rules() const override {
    return common_.rules ? common_.rule_set() : repertoire_.first();
  }
  rules::ScoringTable table(const std::string& text) const override {
    return scoring_table(text, rules());
  }
  std::vector<fs::path> checkpoints(int most) const override {
    if (most == 1) return {source_};
    auto checkpoints = nn::list_checkpoints(source_, most);
    if (checkpoints.empty()) {
      throw base::InputError(command_ + ": --checkpoints: expected a run folder, not " +
                             source_.string());
    }
    checkpoints.back() = source_;
    return checkpoints;
  }
  void take(const fs::path& network) override {
    if (network == taken_) return;
    nn::is_nnue(network) ? take_nnue(network) : take_network(network);
    taken_ = network;
  }
  // For any thread.
  std::unique_ptr<studies::Thinker> thinker() const override { return make_thinker_(); }

  studies::SelfGamesConfig config(int simulations,
                                  const rules::ScoringTable& table) const override {
    studies::SelfGamesConfig config;
    config.games = asked_.games;
    config.simulations = simulations > 0 ? simulations : usual_simulations_;
    config.opening_plies = asked_.opening_plies;
    config.seed = common_.seed.value_or(1);
    config.seeds = asked_.seeds;
    config.start = start_;
    config.rules = rules();
    config.table = table;
    config.name = name();
    config.player = player_;
    config.precision = precision_;
    config.search = asked_.kept_search.value_or(search_);
    config.only_kept = asked_.kept_search.has_value();
    config.generation = generation_;
    config.unit = unit_;
    config.threads = arena::divide_games(asked_.games, threads(common_), device_).threads;
    config.games_at_once = batch_;
    return config;
  }

  std::vector<selfplay::GameRecord> games(const studies::SelfGamesConfig& config) override {
    std::int64_t kept = 0;  // games that the folder had, of which none has been asked for so far
    if (!store_) {
      base::make_folder(folder_);
      const base::FileLock& lock = lock_.emplace(folder_ / "games.lock");
      if (!lock.is_held()) {
        throw base::EnvironmentError(folder_.string() + ": another process plays games for it");
      }
      store_ = std::make_unique<selfplay::GameStore>(folder_ / selfplay::kGamesFile,
                                                     selfplay::StoreMode::kWrite);
      kept = store_->count();
    }
    Progress progress;
    const auto began = std::chrono::steady_clock::now();
    auto games = studies::self_games(
        config, make_thinker_, *store_,
        [&](const studies::SelfGamesProgress& so_far) {
          if (so_far.done == 0 && kept > 0) say_begun_anew(kept);
          kept = 0;
          const double seconds = base::seconds_since(began);
          progress.show(fmt::format(
              "generation {}, {} {}, table {}: {} of {} games, {:.0f} plies/s, about {} to go",
              config.generation, config.simulations, config.unit,
              config.table.to_changes(config.rules.table()), so_far.done, so_far.games,
              static_cast<double>(so_far.plies) / seconds, duration(so_far.seconds_left(seconds))));
        },
        stop_flag());
    if (games.empty()) throw studies::Stopped{};
    return games;
  }

  bool stopped() const override { return stop_flag(); }
  std::vector<selfplay::GameRecord> unseen(const fs::path& folder) const override {
    const bool run = is_run(folder);
    training::LearnerConfig learner;
    if (run) learner = training::load_run_config(folder).learner;
    const selfplay::GameStore store(folder / selfplay::kGamesFile, selfplay::StoreMode::kRead);
    std::vector<selfplay::GameRecord> games;
    store.visit({}, [&](const selfplay::GameRecord& game) {
      if (!run || training::is_validation_game(game, learner)) games.push_back(game);
      return true;
    });
    const auto most = static_cast<std::size_t>(asked_.games);
    if (games.size() > most) games.erase(games.begin(), games.end() - asked_.games);
    if (games.empty()) {
      throw base::InputError(folder.string() + ": has no game that a network has not learned from");
    }
    for (const selfplay::GameRecord& game : games) {
      require_rules(repertoire_, source_.string(), game.rules);
    }
    return games;
  }

 private:
  // Where none of the games that lie in the folder is of those that are asked for first.
  void say_begun_anew(std::int64_t kept) const {
    std::cerr << fmt::format(
        "{}note: the {} games in {} are none of these, but of other settings, another network, "
        "precision or search (--precision; an NNUE's earlier search: --search HEX); they stay\n",
        Progress::erasure(), kept, (folder_ / selfplay::kGamesFile).string());
  }

  void take_network(const fs::path& path) {
    nn::NetworkFile network = load_network(path.string());
    if (common_.rules) take_rules(network, path.string(), common_.rule_set());
    common_.need_net();
    // Kept games may be of a precision that this processor does not have.
    const bool named = asked_.kept_search && asked_.precision != kFastest;
    const nn::PlayingNetwork playing = arena::playing_network(
        network, device_, batch_,
        nn::requested_precision("--precision", named ? kFastest : asked_.precision, device_));
    repertoire_ = network.repertoire;
    generation_ = static_cast<int>(network.generation);
    player_ = nn::fingerprint(network.weights);
    precision_ = named ? asked_.precision : nn::name(playing.options().precision);
    search_ = 0;
    unit_ = "simulations";
    usual_simulations_ = studies::kSimulations;
    make_thinker_ = studies::tree_thinker([playing] {
      nn::use_one_torch_thread();
      return std::make_unique<selfplay::NetworkEvaluator>(playing);
    });
  }
  void take_nnue(const fs::path& path) {
    nn::NnueFile nnue = nn::load_nnue(path);
    if (common_.rules) take_rules(nnue, path.string(), common_.rule_set());
    if (asked_.precision != kFastest) {
      throw base::InputError("--precision " + asked_.precision + ": " + path.string() +
                             " is an NNUE, which has one alone");
    }
    repertoire_ = nnue.repertoire;
    generation_ = static_cast<int>(nnue.generation);
    player_ = nn::fingerprint(nnue.weights);
    precision_ = nn::kNnueKind;
    search_ = tactics::kSearchVersion;
    unit_ = "nodes";
    usual_simulations_ = nnue.nodes > 0 ? nnue.nodes : studies::kNodes;
    make_thinker_ = studies::nnue_thinker(nn::weights_to_play(nnue.weights));
  }

  const std::string& command_;
  const StudyOptions& asked_;
  const CommonOptions& common_;
  fs::path source_, folder_;
  std::optional<rules::Position> start_;
  std::string device_;
  int batch_ = 0;
  // What was taken last.
  fs::path taken_;
  rules::Repertoire repertoire_;
  int generation_ = 0;
  std::uint64_t player_ = 0, search_ = 0;
  std::string precision_, unit_;
  int usual_simulations_ = 0;
  studies::MakeThinker make_thinker_;
  std::optional<base::FileLock> lock_;
  std::unique_ptr<selfplay::GameStore> store_;  // once games are asked for
};

class PlayedMatches final : public studies::Matches {
 public:
  PlayedMatches(const StudyOptions& asked, const CommonOptions& common)
      : asked_(asked), common_(common) {}

  const StudyOptions& asked() const override { return asked_; }
  std::vector<rules::RuleSet> rule_sets(const std::string& otherwise) const override {
    return rules::Repertoire::parse_or_read(common_.rules.value_or(otherwise)).sets();
  }
  rules::ScoringTable table(const std::string& text, rules::RuleSet rules) const override {
    return scoring_table(text, rules);
  }
  std::string network() const override {
    return asked_.net.empty() ? default_network().string() : asked_.net;
  }
  fs::path folder(const std::string& network) const override {
    return study_folder(asked_, network);
  }
  std::optional<studies::MoveBudget> budget(const std::string& player,
                                            rules::RuleSet rules) const override {
    return budget_in(player, common_, rules);
  }
  arena::PlayerFactory player(const std::string& name, int simulations,
                              rules::RuleSet rules) const override {
    return app::player(name, simulations, common_, rules);
  }
  arena::MatchConfig config(rules::RuleSet rules) const override {
    arena::MatchConfig match;
    match.threads = threads(common_);
    match.seed = common_.seed.value_or(1);
    match.rules = rules;
    match.table = rules.table();
    match.keep_games = true;
    return match;
  }
  arena::MatchResult play(const arena::MatchConfig& match, const arena::PlayerFactory& a,
                          const arena::PlayerFactory& b, const std::string& name) override {
    if (!warned_) warn_of_one_opening(match);
    warned_ = warned_ || match.begins_alike();
    Progress progress;
    const auto result = arena::play_match(
        match, a, b,
        [&](const arena::MatchResult& so_far) {
          progress.show(fmt::format("{}: {} of {} games", name, so_far.games(), match.games));
        },
        &stop_flag());
    if (result.stopped) throw studies::Stopped{};
    return result;
  }

 private:
  const StudyOptions& asked_;
  const CommonOptions& common_;
  bool warned_ = false;
};

int StudyCommand::run(const CommonOptions& common) const {
  PlayedMatches matches(asked_, common);
  const std::size_t rule_sets = matches.rule_sets("chess_sharp").size();
  if (const studies::PlayersStudy* const of_players = study_->of_players(rule_sets)) {
    return run_study(*of_players, matches, common);
  }
  StudyOptions asked = asked_;
  if (!search_.empty()) asked.kept_search = search_version(search_);
  Network network(name, asked, common);
  return run_study(*study_, network, network.folder(), common);
}

}  // namespace

std::unique_ptr<Command> study_command(std::unique_ptr<studies::Study> study) {
  return std::make_unique<StudyCommand>(std::move(study));
}

}  // namespace app
