#include "training/student/student_network.h"

#include <algorithm>

#include "base/errors.h"

namespace training {
namespace {

const nn::NnueFile* nnue_in(const StudentNetwork& network) {
  return std::get_if<nn::NnueFile>(&network);
}

bool any(const std::vector<float>& values) {
  return std::ranges::any_of(values, [](float value) { return value != 0; });
}

}  // namespace

std::int64_t generation_of(const StudentNetwork& network) {
  return std::visit([](const auto& file) { return file.generation; }, network);
}

bool has_learned(const StudentNetwork& network) {
  if (const nn::NnueFile* nnue = nnue_in(network)) return any(nnue->weights.out_bias);
  const nn::Weights& weights = std::get<nn::NetworkFile>(network).weights;
  const auto policy = weights.find("policy_out.weight");
  return policy != weights.end() && any(policy->second.values);
}

const char* network_file(const RunConfig& config) {
  return config.run.teaches_nnue() ? nn::kNnueFile : nn::kNetworkFile;
}

const char* network_file(const StudentNetwork& network) {
  return nnue_in(network) ? nn::kNnueFile : nn::kNetworkFile;
}

void save_network(const StudentNetwork& network, const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / network_file(network);
  if (const nn::NnueFile* nnue = nnue_in(network)) return nn::save_nnue(*nnue, file);
  nn::save_network(std::get<nn::NetworkFile>(network), file);
}

StudentNetwork load_student_network(const std::filesystem::path& where) {
  if (std::filesystem::exists(where / nn::kNnueFile) || nn::is_nnue(where)) {
    return nn::load_nnue(where);
  }
  return nn::load_network(where);
}

void check_network(const StudentNetwork& network, const RunConfig& config, const std::string& where,
                   const std::string& config_file) {
  const nn::NnueFile* nnue = nnue_in(network);
  if ((nnue != nullptr) != config.run.teaches_nnue()) {
    throw base::InputError(where + ": " + (nnue ? "an NNUE" : "a residual network") +
                           ", but run.student of " + config_file + " is " + config.run.student);
  }
  const auto& repertoire = std::visit(
      [](const auto& file) -> const auto& { return file.repertoire; }, network);
  if (repertoire != config.rules.repertoire()) {
    throw base::InputError(config_file + ": rule_set is " + config.rules.rule_set + ", that of " +
                           where + " " + repertoire.name());
  }
  if (nnue) return;
  const nn::NetworkConfig& found = std::get<nn::NetworkFile>(network).config;
  if (found == config.network) return;
  throw base::InputError(where + ": another [network] than that of " + config_file + ": " +
                         difference(found, config.network));
}

}  // namespace training
