#pragma once
// What the commands that study share.

#include <filesystem>
#include <string>

#include "app/command.h"
#include "studies/study.h"

namespace app {

using studies::StudyOptions;

// The command of a study, with the options of all beside its own.
std::unique_ptr<Command> study_command(std::unique_ptr<studies::Study> study);

// Where a study of the network keeps its games and answers: --out, else studies/ in the run that
// the network belongs to, else studies/ and its name. Throws base::InputError where --out is a
// run's own folder.
std::filesystem::path study_folder(const StudyOptions& asked, const std::filesystem::path& network);

// Says on stderr (JSON on stdout, where asked) that a study was stopped; the exit code. The folder
// keeps what was finished; empty: nothing was kept.
int stopped(const CommonOptions& common, const std::filesystem::path& folder = {});

// Writes the study's answer into STUDY.json in the folder, which is made where it is missing,
// writes the report anew (the run's where it is a run's studies/, else the folder's own) and prints
// the answer as JSON, where asked, else as text. The exit code, also where the study was stopped.
// Throws base::EnvironmentError and what the study throws. `folder` holds what the subject keeps.
int run_study(const studies::Study& study, studies::Subject& subject,
              const std::filesystem::path& folder, const CommonOptions& common);
// The same of players; an answer that names no folder is only printed.
int run_study(const studies::PlayersStudy& study, studies::Matches& matches,
              const CommonOptions& common);

}  // namespace app
