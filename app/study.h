#pragma once
// What the commands that study share.

#include <filesystem>
#include <string>

#include "app/command.h"
#include "studies/advantage.h"
#include "studies/study.h"

namespace app {

// What all studies have in common.
struct StudyOptions {
  std::string net;
  std::string out;  // empty: see study_folder()
  int games = 400;
  int opening_plies = 8;
  int seeds = 4;
  std::string fen;  // where games begin; empty: the start of the rule set
};

// The command of a study, with the options of all beside its own.
std::unique_ptr<Command> study_command(std::unique_ptr<studies::Study> study);

// The run's name where the network belongs to a run, else its own.
std::string study_name(const std::filesystem::path& network);
// Where a study of the network keeps its games and answers: --out, else studies/ in the run that
// the network belongs to, else studies/ and its name. Throws base::InputError where --out is a
// run's own folder.
std::filesystem::path study_folder(const StudyOptions& asked, const std::filesystem::path& network);

// Writes the answer into STUDY.json in the folder, which is made where it is missing, writes the
// report anew (the run's where it is a run's studies/, else the folder's own) and prints the answer
// as JSON, where asked, else as text. The exit code. Throws base::EnvironmentError.
int tell(const std::string& study, const studies::Answer& answer,
         const std::filesystem::path& folder, const CommonOptions& common);

// Says on stderr (JSON on stdout, where asked) that a study was stopped; the exit code. The folder
// keeps what was finished; empty: nothing was kept.
int stopped(const CommonOptions& common, const std::filesystem::path& folder = {});

// The study of the subject, told or stopped; what it keeps lies in the folder. The exit code.
int run_study(const studies::Study& study, studies::Subject& subject,
              const std::filesystem::path& folder, const CommonOptions& common);

// Whether the command line asks for run_balance(): `advantage` of several rule sets or of any
// player.
bool wants_balance(const studies::AdvantageStudy& asked, const CommonOptions& common);

// Plays games of a player against itself under each rule set, writes balance.json and prints the
// table. Returns an exit code, or throws as run_study() does.
int run_balance(const studies::AdvantageStudy& study, const StudyOptions& asked,
                const CommonOptions& common);

}  // namespace app
