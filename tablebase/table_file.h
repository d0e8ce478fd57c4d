#pragma once
// The file of one material: for each position a few bits that name its course, and the courses.

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "rules/outcome.h"
#include "rules/rule_set.h"
#include "tablebase/material.h"

namespace tablebase {

// The plies that are left until the impasse at most.
inline constexpr int kMostPliesLeft = rules::Position::kImpasseClock;

// What a position is worth, as White's grade, with 0, 1, … plies left until the impasse.
using Course = std::array<std::uint8_t, kMostPliesLeft + 1>;

// What a file is about. Those of one folder differ in material and impasse alone.
struct TableSubject {
  Material material;
  rules::RuleSetId rules = 0;  // ending_rules()
  Grades grades;
  rules::Outcome impasse{};  // by the material

  bool operator==(const TableSubject&) const = default;
};

// The id of the set without what no longer counts once nothing is in reserve and nobody may castle.
rules::RuleSetId ending_rules(rules::RuleSet rules);

// The number of a course among those of its material.
using CourseNumber = std::uint16_t;

struct Solution {
  TableSubject subject;
  std::vector<Course> courses;
  std::vector<CourseNumber> cells;  // by Cells; 0 where there is no position
};

inline constexpr const char* kTableExtension = ".sztb";
std::filesystem::path table_path(const std::filesystem::path& folder, const Material& material);

// Writes it aside and renames it. Throws base::EnvironmentError naming the path.
void write_table(const std::filesystem::path& path, const Solution& solution);

// A file, mapped into memory. Any thread.
class TableFile {
 public:
  // Reads all of it. Throws base::InputError where it is missing, cut, damaged, or no such file.
  explicit TableFile(const std::filesystem::path& path);
  ~TableFile();
  TableFile(TableFile&& other) noexcept;
  TableFile& operator=(TableFile&&) = delete;

  const TableSubject& subject() const { return subject_; }
  // REQUIRES: one of Cells.
  CourseNumber number(std::uint64_t cell) const;
  const Course& course(std::uint64_t cell) const { return courses_[number(cell)]; }
  std::uint64_t bytes() const { return size_; }

 private:
  void map(const std::filesystem::path& path);
  void read(const std::filesystem::path& path);

  TableSubject subject_;
  std::vector<Course> courses_;
  const char* data_ = nullptr;
  std::uint64_t size_ = 0;
  const char* cells_ = nullptr;
  unsigned bits_ = 0;
};

}  // namespace tablebase
