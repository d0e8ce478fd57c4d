#include "nn/weights.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/files.h"
#include "base/hash.h"
#include "base/json.h"

namespace nn {
namespace {

using Json = nlohmann::json;
constexpr std::uint64_t kMaxHeader = 16u << 20;

[[noreturn]] void damaged(const std::filesystem::path& path, const std::string& what) {
  throw CheckpointError(path.string() + ": " + what);
}

constexpr const char* kHeaderChecksum = "header_checksum";

// The checksum of the header, without this checksum itself: names, shapes and metadata.
std::string checksum_of(Json header) {
  header["__metadata__"].erase(kHeaderChecksum);
  return std::to_string(base::fnv1a(header.dump()));
}

// Reads the array of a header's entry, checked against the data's size.
Array read_array(const Json& entry, const std::string& name, const char* data, std::size_t size,
                 const std::filesystem::path& path) {
  if (entry.at("dtype") != "F32") damaged(path, "array '" + name + "' is not F32");
  Array array;
  std::uint64_t count = 1;
  for (const Json& dimension : entry.at("shape")) {
    const auto d = dimension.get<std::int64_t>();
    if (d < 0 || (d > 0 && count > size / static_cast<std::uint64_t>(d))) {
      damaged(path, "array '" + name + "' is larger than the file");
    }
    count *= static_cast<std::uint64_t>(d);
    array.shape.push_back(d);
  }
  const auto begin = entry.at("data_offsets").at(0).get<std::uint64_t>();
  const auto end = entry.at("data_offsets").at(1).get<std::uint64_t>();
  if (begin > end || end > size || end - begin != count * sizeof(float)) {
    damaged(path, "array '" + name + "' does not fit its place in the file");
  }
  array.values.resize(count);
  std::memcpy(array.values.data(), data + begin, end - begin);
  return array;
}

}  // namespace

std::uint64_t fingerprint(const Weights& weights) {
  std::uint64_t hash = base::fnv1a("");
  for (const auto& [name, array] : weights) {
    const auto* const bytes = reinterpret_cast<const char*>(array.values.data());
    hash = base::fnv1a(name, hash);
    hash = base::fnv1a({bytes, array.values.size() * sizeof(float)}, hash);
  }
  return hash;
}

const Array& find_array(const Weights& weights, const std::string& name,
                        std::span<const std::int64_t> shape) {
  const auto found = weights.find(name);
  if (found == weights.end()) throw CheckpointError("array '" + name + "' is missing");
  if (!std::ranges::equal(found->second.shape, shape)) {
    throw CheckpointError("array '" + name + "' has another shape than the config's network");
  }
  return found->second;
}

void save_weights(const WeightsFile& file, const std::filesystem::path& path) {
  std::string data;
  Json header = Json::object();
  for (const auto& [name, array] : file.weights) {
    const std::size_t begin = data.size();
    data.append(reinterpret_cast<const char*>(array.values.data()),
                array.values.size() * sizeof(float));
    header[name] = {
        {"dtype", "F32"}, {"shape", array.shape}, {"data_offsets", {begin, data.size()}}};
  }
  header["__metadata__"] = file.metadata;
  header["__metadata__"]["checksum"] = std::to_string(base::fnv1a(data));
  header["__metadata__"][kHeaderChecksum] = checksum_of(header);
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');
  const std::uint64_t length = text.size();
  std::string head(reinterpret_cast<const char*>(&length), sizeof length);
  std::filesystem::remove(path);
  base::AppendFile out(path);
  out.append(head + text);
  out.append(data);
  out.sync();
}

WeightsFile load_weights(const std::filesystem::path& path) {
  const auto whole = base::read_file(path);
  if (!whole) damaged(path, "cannot be read");
  const std::string& bytes = *whole;
  std::uint64_t length = 0;
  if (bytes.size() < sizeof length) damaged(path, "cut off: no header");
  std::memcpy(&length, bytes.data(), sizeof length);
  if (length > kMaxHeader || length > bytes.size() - sizeof length) {
    damaged(path, "cut off: no header");
  }
  const char* data = bytes.data() + sizeof length + length;
  const std::size_t size = bytes.size() - sizeof length - length;
  WeightsFile file;
  try {
    const Json header = base::parse(std::string_view(bytes).substr(sizeof length, length));
    if (header.at("__metadata__").at("checksum") != std::to_string(base::fnv1a({data, size}))) {
      damaged(path, "checksum does not match: the file is damaged or cut off");
    }
    const Json& said = header.at("__metadata__");
    if (said.contains(kHeaderChecksum) && said[kHeaderChecksum] != checksum_of(header)) {
      damaged(path, "checksum does not match: its header is damaged");
    }
    file.metadata = header.at("__metadata__").get<std::map<std::string, std::string>>();
    std::size_t left = size / sizeof(float);  // arrays that share their data may not outgrow it
    for (const auto& [name, entry] : header.items()) {
      if (name == "__metadata__") continue;
      Array array = read_array(entry, name, data, size, path);
      if (array.values.size() > left) damaged(path, "its arrays are larger than the file");
      left -= array.values.size();
      file.weights[name] = std::move(array);
    }
  } catch (const Json::exception&) {
    damaged(path, "its header is not that of a safetensors file");
  }
  return file;
}

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

std::string kind_of_file(const std::filesystem::path& path) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(path, none)) return "";
  std::ifstream in(path, std::ios::binary);
  std::uint64_t length = 0;
  in.read(reinterpret_cast<char*>(&length), sizeof length);
  std::string header(length <= kMaxHeader ? length : 0, ' ');
  if (!in.read(header.data(), static_cast<std::streamsize>(header.size()))) return "";
  try {
    return base::parse(header).at("__metadata__").value("kind", "");
  } catch (const Json::exception&) {
    return "";
  }
}

}  // namespace nn
