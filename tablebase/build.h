#pragma once
// Fills a folder with the files of all endings up to so many pieces.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "rules/outcome.h"
#include "rules/rule_set.h"
#include "tablebase/material.h"
#include "tablebase/tables.h"

namespace tablebase {

struct BuildPlan {
  std::vector<Material> materials;  // in an order in which they can be solved
  std::uint64_t cells = 0;          // of those that are missing
  std::uint64_t bytes = 0;          // of their files, about
  double seconds = 0;               // about, on one core
  std::uint64_t memory = 0;         // bytes that one thread takes at most
  int missing = 0;
};

struct SolvedMaterial {
  Material material;
  double seconds = 0;
  std::uint64_t file_bytes = 0;
};

// Solves the endings of one folder.
class Build {
 public:
  // Makes the folder and reads what is in it. Throws as Tables, and base::EnvironmentError.
  // REQUIRES: a set without cards; pieces from 2 to kMostPieces.
  Build(std::filesystem::path folder, int pieces, rules::RuleSet rules,
        const rules::ScoringTable& table);

  const BuildPlan& plan() const { return plan_; }
  // Solves what is missing, several materials at a time, and writes each file as it is solved.
  // `solved` hears of each, from one thread at a time; `stopped` is asked often, by all of them.
  // False: it was stopped. REQUIRES: threads >= 1.
  bool run(int threads, const std::function<void(const SolvedMaterial&)>& solved,
           const std::function<bool()>& stopped);
  // All files, once run() has returned true.
  const Tables& tables() const { return tables_; }

 private:
  bool solve_together(const std::vector<Material>& materials, int threads,
                      const std::function<void(const SolvedMaterial&)>& solved,
                      const std::function<bool()>& stopped);

  std::filesystem::path folder_;
  Tables tables_;
  BuildPlan plan_;
};

}  // namespace tablebase
