#include "nn/file_metadata.h"

namespace nn {

rules::Repertoire metadata_repertoire(const WeightsFile& file, const std::filesystem::path& path) {
  const auto found = file.metadata.find("rules");
  try {
    return rules::Repertoire::parse(found == file.metadata.end() ? "" : found->second);
  } catch (const rules::RulesError& error) {
    throw CheckpointError(path.string() + ": metadata 'rules': " + error.what());
  }
}

std::string metadata_kind(const WeightsFile& file) {
  const auto found = file.metadata.find("kind");
  return found == file.metadata.end() ? "" : found->second;
}

}  // namespace nn
