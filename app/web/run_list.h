#pragma once
// The runs that the page offers, by names that it is told: no name of a request becomes a path.

#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace app {

struct ListedRun {
  std::string name;  // of its folder; a second one of that name has a number behind it
  std::filesystem::path folder;
};

// How far a run has come.
struct RunProgress {
  std::int64_t generation = 0;
  double elapsed_s = 0;
  double games = 0;
};

// All functions may be called by any thread.
class RunList {
 public:
  // The runs in the folder `runs`, which need not be there, and before them `first`, unless it is
  // empty.
  RunList(std::filesystem::path runs, std::filesystem::path first);

  // At most 100; those of the folder by their last start (training::last_start), the newest first.
  std::vector<ListedRun> all() const;
  // The same of the folders that hold a network or an NNUE, whatever else they lack.
  std::vector<ListedRun> with_networks() const;
  // Throws a Refusal, status 404, where none has that name.
  ListedRun find(const std::string& name) const;
  // A folder that is not there yet, beside the others: NAME, or NAME-2 and so on.
  std::filesystem::path new_folder(const std::string& name) const;
  // By the last record of its metrics.jsonl; zeros where there is none. Read anew where that file
  // has changed.
  RunProgress progress(const ListedRun& run);

 private:
  struct Known {
    std::filesystem::file_time_type written;
    std::uintmax_t bytes = 0;
    RunProgress progress;
  };

  std::vector<ListedRun> listed(bool (*is_listed)(const std::filesystem::path&),
                                bool with_first) const;

  const std::filesystem::path runs_, first_;
  std::mutex mutex_;  // guards known_
  std::map<std::filesystem::path, Known> known_;
};

}  // namespace app
