#include "app/commands/parts/study_answer.h"

#include <iostream>
#include <nlohmann/json.hpp>

#include "app/named/paths.h"
#include "base/files.h"
#include "training/page/report.h"

namespace app {
namespace {

namespace fs = std::filesystem;

int tell(const std::string& study, const studies::Answer& answer, const fs::path& folder,
         const CommonOptions& common) {
  nlohmann::ordered_json whole{{"study", study}, {"format_version", 1}};
  whole.update(answer.json);
  base::make_folder(folder);
  base::write_text(folder / (study + ".json"), whole.dump(1));
  const fs::path canonical = fs::weakly_canonical(folder);
  const bool of_a_run = canonical.filename() == "studies" && is_run(canonical.parent_path());
  const fs::path report = training::write_report(of_a_run ? canonical.parent_path() : folder);
  return print(common, whole, answer.text + "report " + report.string() + "\n", 2);
}

}  // namespace

fs::path study_folder(const StudyOptions& asked, const fs::path& network) {
  if (!asked.out.empty()) {
    require_no_run(asked.out);
    return asked.out;
  }
  const auto run = run_of(network);
  return run ? *run / "studies" : fs::path("studies") / study_name(network);
}

int stopped(const CommonOptions& common, const fs::path& folder) {
  nlohmann::ordered_json answer{{"stopped", true}};
  if (!folder.empty()) answer["folder"] = folder.string();
  print(common, answer, "");
  std::cerr << (folder.empty() ? "stopped; nothing was written\n"
                               : "stopped; finished games are kept in " + folder.string() +
                                     "; run the same command to continue\n");
  return kInterrupted;
}

int run_study(const studies::Study& study, studies::Subject& subject, const fs::path& folder,
              const CommonOptions& common) {
  try {
    return tell(study.name, study.run(subject), folder, common);
  } catch (const studies::Stopped&) {
    return stopped(common, folder);
  }
}

int run_study(const studies::PlayersStudy& study, studies::Matches& matches,
              const CommonOptions& common) {
  try {
    const studies::Answer answer = study.run(matches);
    return answer.folder.empty() ? print(common, answer.json, answer.text, 2)
                                 : tell(study.name, answer, answer.folder, common);
  } catch (const studies::Stopped&) {
    return stopped(common);
  }
}

}  // namespace app
