#include "tablebase/table_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/errors.h"
#include "base/files.h"
#include "base/hash.h"
#include "tablebase/cells.h"

namespace tablebase {
namespace {

constexpr std::array<char, 8> kMagic{'s', 'z', 't', 'a', 'b', 'l', 'e', '\n'};
constexpr std::uint32_t kVersion = 1;
constexpr std::uint64_t kPadding = 8;  // bytes behind the cells, so that eight can be read anywhere

// A course as it is kept: where it changes. Grades move one way, so it has at most seven steps.
struct Step {
  std::uint8_t plies, grade;
};
constexpr std::uint8_t kNoStep = 255;
using Steps = std::array<Step, rules::kOutcomes>;

// In the byte order of x86. The courses follow, then the cells, then their padding.
struct Header {
  std::array<char, 8> magic;
  std::uint32_t version;
  std::uint32_t rules;
  std::array<char, 16> material;
  Grades::Ranks ranks;
  std::uint8_t impasse;
  std::uint32_t courses;
  std::uint32_t bits;   // of a cell
  std::uint64_t cells;  // their number
  std::uint64_t body_hash;
  std::uint64_t header_hash;  // of all before it
};
static_assert(sizeof(Header) == 72 && std::has_unique_object_representations_v<Header>);

Steps steps_of(const Course& course) {
  Steps steps{};
  steps.fill({kNoStep, 0});
  std::size_t count = 0;
  for (std::size_t plies = 0; plies < course.size(); ++plies) {
    if (plies > 0 && course[plies] == course[plies - 1]) continue;
    steps[count++] = {static_cast<std::uint8_t>(plies), course[plies]};
  }
  return steps;
}

Course course_of(const Steps& steps) {
  Course course{};
  for (const auto [plies, grade] : steps) {
    if (plies < course.size()) std::fill(course.begin() + plies, course.end(), grade);
  }
  return course;
}

// FNV-1a by words of eight bytes: a damaged bit is found, and a table is read at memory's speed.
std::uint64_t hash_of(std::string_view bytes) {
  std::uint64_t hash = base::fnv1a({}) ^ bytes.size();
  for (; bytes.size() >= 8; bytes.remove_prefix(8)) {
    std::uint64_t word;
    std::memcpy(&word, bytes.data(), 8);
    hash = std::rotl((hash ^ word) * 0x9e3779b97f4a7c15, 29);
  }
  return base::fnv1a(bytes, hash);
}

template <class Value>
std::string_view bytes_of(const Value& value, std::size_t count = sizeof(Value)) {
  return {reinterpret_cast<const char*>(&value), count};
}

std::uint64_t header_hash(const Header& header) {
  return hash_of(bytes_of(header, offsetof(Header, header_hash)));
}

std::uint64_t cell_bytes(const Header& header) {
  return (header.cells * header.bits + 7) / 8 + kPadding;
}

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& what) {
  throw base::InputError(path.string() + ": " + what);
}

std::optional<Material> material_called(std::string_view name) {
  for (int pieces = 2; pieces <= kMostPieces; ++pieces) {
    for (const Material& material : Material::all(pieces, true)) {
      if (material.name() == name) return material;
    }
  }
  return std::nullopt;
}

}  // namespace

rules::RuleSetId ending_rules(rules::RuleSet rules) {
  return rules::RuleSet{.sprint = rules.sprint,
                        .underpromotion = rules.underpromotion,
                        .king_safe = rules.king_safe,
                        .entry = rules::Entry::kNone,
                        .dead_material = rules.dead_material}
      .id();
}

std::filesystem::path table_path(const std::filesystem::path& folder, const Material& material) {
  return folder / (material.name() + kTableExtension);
}

void write_table(const std::filesystem::path& path, const Solution& solution) {
  Header header{};
  header.magic = kMagic;
  header.version = kVersion;
  header.rules = solution.subject.rules;
  const std::string name = solution.subject.material.name();
  std::ranges::copy(name, header.material.begin());
  header.ranks = solution.subject.grades.ranks();
  header.impasse = static_cast<std::uint8_t>(solution.subject.impasse);
  header.courses = static_cast<std::uint32_t>(solution.courses.size());
  header.bits = static_cast<std::uint32_t>(std::bit_width(solution.courses.size() - 1));
  header.cells = solution.cells.size();
  std::string body;
  for (const Course& course : solution.courses) body += bytes_of(steps_of(course));
  std::string cells(cell_bytes(header), '\0');
  std::uint64_t at = 0;
  for (const CourseNumber number : solution.cells) {
    std::uint32_t word;
    std::memcpy(&word, cells.data() + at / 8, sizeof word);
    word |= std::uint32_t{number} << at % 8;
    std::memcpy(cells.data() + at / 8, &word, sizeof word);
    at += header.bits;
  }
  body += cells;
  header.body_hash = hash_of(body);
  header.header_hash = header_hash(header);
  base::write_text(path, std::string(bytes_of(header)) + body);
}

TableFile::TableFile(const std::filesystem::path& path) {
  map(path);
  try {
    read(path);
  } catch (...) {
    munmap(const_cast<char*>(data_), size_);
    throw;
  }
}

TableFile::~TableFile() {
  if (data_) munmap(const_cast<char*>(data_), size_);
}

TableFile::TableFile(TableFile&& other) noexcept
    : subject_(other.subject_),
      courses_(std::move(other.courses_)),
      data_(std::exchange(other.data_, nullptr)),
      size_(other.size_),
      cells_(other.cells_),
      bits_(other.bits_) {}

void TableFile::map(const std::filesystem::path& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) refuse(path, std::string("cannot be read: ") + std::strerror(errno));
  struct stat status {};
  const bool plain = fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
  size_ = plain ? static_cast<std::uint64_t>(status.st_size) : 0;
  void* mapped = MAP_FAILED;
  if (size_ >= sizeof(Header)) mapped = mmap(nullptr, size_, PROT_READ, MAP_SHARED, descriptor, 0);
  close(descriptor);
  if (size_ < sizeof(Header))
    refuse(path, "is no file of a tablebase: expected one of sharpzero's");
  if (mapped == MAP_FAILED) {
    throw base::EnvironmentError(path.string() + ": cannot be mapped: " + std::strerror(errno));
  }
  data_ = static_cast<const char*>(mapped);
}

void TableFile::read(const std::filesystem::path& path) {
  Header header;
  std::memcpy(&header, data_, sizeof header);
  if (header.magic != kMagic)
    refuse(path, "is no file of a tablebase: expected one of sharpzero's");
  if (header.version != kVersion) {
    refuse(path, "has version " + std::to_string(header.version) + ": expected " +
                     std::to_string(kVersion) + "; build it again");
  }
  if (header.header_hash != header_hash(header)) refuse(path, "is damaged in its header");
  const std::uint64_t courses = header.courses * sizeof(Steps);
  const std::uint64_t expected = sizeof header + courses + cell_bytes(header);
  if (size_ != expected) {
    refuse(path, "is " + std::string(size_ < expected ? "cut" : "too long") + ": " +
                     std::to_string(size_) + " bytes, expected " + std::to_string(expected));
  }
  const std::string_view body(data_ + sizeof header, size_ - sizeof header);
  if (header.body_hash != hash_of(body)) refuse(path, "is damaged: its checksum does not fit");
  const std::string_view name(header.material.data(),
                              strnlen(header.material.data(), header.material.size()));
  const auto material = material_called(name);
  const auto no_grade = [](int grade) { return grade >= rules::kOutcomes; };
  if (!material || Cells(*material).size() != header.cells || header.courses == 0 ||
      header.bits != std::bit_width(header.courses - 1) || no_grade(header.impasse) ||
      std::ranges::any_of(header.ranks, no_grade)) {
    refuse(path, "is damaged in its header");
  }
  for (std::size_t i = 0; i < header.courses; ++i) {
    Steps steps;
    std::memcpy(&steps, body.data() + i * sizeof steps, sizeof steps);
    courses_.push_back(course_of(steps));
    if (std::ranges::any_of(courses_.back(), no_grade)) refuse(path, "is damaged in its courses");
  }
  courses_.resize(std::size_t{1} << header.bits);  // whatever number a cell may have
  subject_ = {*material, header.rules, Grades::from_ranks(header.ranks),
              static_cast<rules::Outcome>(header.impasse)};
  cells_ = body.data() + courses;
  bits_ = header.bits;
}

CourseNumber TableFile::number(std::uint64_t cell) const {
  const std::uint64_t at = cell * bits_;
  std::uint32_t word;
  std::memcpy(&word, cells_ + at / 8, sizeof word);
  return static_cast<CourseNumber>(word >> at % 8 & ((1u << bits_) - 1));
}

}  // namespace tablebase
