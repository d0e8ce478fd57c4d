#include "app/command.h"
#include "app/commands/parts/study_answer.h"

namespace app {

// Each in the file of its name.
using MakeCommand = std::unique_ptr<Command>();
MakeCommand analyse_command, inspect_command, perft_command, games_command, config_command,
    train_command, match_command, uci_command, bench_command, selfplay_command, play_command,
    serve_command, ladder_command, export_command, report_command, actor_command, store_command,
    status_command, tablebase_command, book_command, rules_command;

std::vector<std::unique_ptr<Command>> all_commands() {
  std::vector<std::unique_ptr<Command>> all;
  for (MakeCommand* const make :
       {inspect_command, perft_command, rules_command, games_command, config_command, train_command,
        match_command, uci_command, analyse_command, bench_command, selfplay_command, play_command,
        serve_command, ladder_command, book_command}) {
    all.push_back(make());
  }
  for (auto& study : studies::all_studies()) all.push_back(study_command(std::move(study)));
  for (MakeCommand* const make : {tablebase_command, export_command, report_command, actor_command,
                                  store_command, status_command}) {
    all.push_back(make());
  }
  return all;
}

}  // namespace app
