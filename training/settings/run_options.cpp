#include "training/settings/run_options.h"

#include <cstdlib>

#include "base/errors.h"
#include "base/text.h"

namespace training {
namespace {

const char* either(const char* name, const char* of_slurm) {
  const char* const value = std::getenv(name);
  return value || !of_slurm ? value : std::getenv(of_slurm);
}

int number(const char* name, const char* of_slurm, int least, int most) {
  const char* const text = either(name, of_slurm);
  const auto value = text ? base::parse_number<int>(text) : std::nullopt;
  if (value && *value >= least && *value <= most) return *value;
  throw base::InputError(std::string(name) + " is " +
                         (text ? "'" + std::string(text) + "'" : "not set") + ": expected " +
                         std::to_string(least) + " to " + std::to_string(most));
}

}  // namespace

std::optional<TeamPlace> team_place() {
  constexpr int kMost = 1024;
  if (!std::getenv("WORLD_SIZE") && !(std::getenv("MASTER_ADDR") && std::getenv("SLURM_NTASKS"))) {
    return std::nullopt;
  }
  TeamPlace place;
  place.size = number("WORLD_SIZE", "SLURM_NTASKS", 1, kMost);
  if (place.size == 1) return std::nullopt;
  place.rank = number("RANK", "SLURM_PROCID", 0, place.size - 1);
  const char* const address = std::getenv("MASTER_ADDR");
  if (!address) throw base::InputError("MASTER_ADDR is not set: expected the address of rank 0");
  place.address = address;
  if (std::getenv("MASTER_PORT")) place.port = number("MASTER_PORT", nullptr, 1, 65535);
  return place;
}

}  // namespace training
