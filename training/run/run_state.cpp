#include "training/run/run_state.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/block.h"
#include "base/errors.h"
#include "base/files.h"
#include "base/json.h"

namespace training {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(PlateauState, generations, positions, loss, gain, stalled,
                                   halvings)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RunCounters, generation, games, plies, targets, evaluations,
                                   last_game, compared, elapsed_s, learning_rate_scale, precision,
                                   mixed_precision, processor, held_out_targets)

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr const char* kTrainerFile = "trainer.safetensors";
constexpr const char* kGeneration = "generation";  // key of its metadata
constexpr const char* kStateFile = "state.bin";    // CBOR, packed (base/block.h)
constexpr const char* kDiscarded = ".discarded";   // suffix of a checkpoint that is to be removed

Json to_json(const selfplay::GameInFlight& seat) {
  Json json = {{"seat", seat.seat}, {"round", seat.round}, {"random", seat.random}};
  if (!seat.game.start_fen.empty()) {
    const auto block = selfplay::encode(seat.game);
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(block.data());
    json["game"] = Json::binary({bytes, bytes + block.size()});
  }
  return json;
}

selfplay::GameInFlight in_flight_of(const Json& json) {
  selfplay::GameInFlight seat;
  json.at("seat").get_to(seat.seat);
  json.at("round").get_to(seat.round);
  json.at("random").get_to(seat.random);
  if (const auto game = json.find("game"); game != json.end()) {
    const auto& block = game->get_binary();
    seat.game = selfplay::decode(std::as_bytes(std::span(block)));
    selfplay::replay(seat.game);  // throws where a move is not legal
  }
  return seat;
}

void write_packed(const fs::path& path, const std::vector<std::uint8_t>& bytes) {
  try {
    const auto block = base::pack(std::as_bytes(std::span(bytes)));
    base::AppendFile file(path);
    file.append({reinterpret_cast<const char*>(block.data()), block.size()});
    file.sync();
  } catch (const base::InputError& error) {
    throw base::EnvironmentError("cannot write " + path.string() +
                                 " (games in flight): " + error.what() + ": fewer selfplay.games");
  }
}

Json read_packed(const fs::path& path) {
  const auto bytes = base::read_file(path);
  if (!bytes) throw nn::CheckpointError(path.string() + ": cannot be read");
  try {
    const auto payload = base::unpack(std::as_bytes(std::span(*bytes)));
    Json json = base::parse({reinterpret_cast<const char*>(payload.data()), payload.size()},
                            Json::input_format_t::cbor);
    if (json.is_discarded()) throw base::InputError("damaged or cut off");
    return json;
  } catch (const base::InputError& error) {
    throw nn::CheckpointError(path.string() + ": " + error.what());
  }
}

// Renames the checkpoint, if it exists, so that nn::list_checkpoints() ignores it.
void set_aside(const fs::path& checkpoint) {
  const fs::path aside = checkpoint.string() + kDiscarded;
  fs::remove_all(aside);
  if (fs::exists(checkpoint)) fs::rename(checkpoint, aside);
}

void remove_what_is_set_aside(const fs::path& run) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(run / "checkpoints")) {
    const fs::path& path = entry.path();
    const bool named = nn::names_generation(path.stem().string());
    if (named && path.extension() == kDiscarded) found.push_back(path);
  }
  for (const fs::path& folder : found) fs::remove_all(folder);
}

}  // namespace

fs::path checkpoint_folder(const fs::path& run, std::int64_t generation) {
  return run / "checkpoints" / fmt::format("{:06}", generation);
}

void save_state(const RunState& state, const fs::path& run) {
  const fs::path folder = checkpoint_folder(run, state.counters.generation);
  const fs::path aside = folder.string() + ".tmp";
  fs::remove_all(aside);
  fs::create_directories(aside);
  save_network(state.network, aside);
  nn::save_weights({state.trainer, {{kGeneration, std::to_string(state.counters.generation)}}},
                   aside / kTrainerFile);
  Json json = state.counters;
  json["format_version"] = kRunFormat;
  json["in_flight"] = Json::array();
  for (const auto& seat : state.in_flight) json["in_flight"].push_back(to_json(seat));
  json["record"] = state.record.dump();
  json["config"] = state.config;
  json["plies_ahead"] = state.plies_ahead;
  json["plateau"] = state.counters.plateau;
  write_packed(aside / kStateFile, Json::to_cbor(json));
  base::sync(aside);
  set_aside(folder);
  fs::rename(aside, folder);
  base::sync(run / "checkpoints");
}

RunState load_state(const fs::path& checkpoint) {
  RunState state;
  const fs::path file = checkpoint / kStateFile;
  const Json json = read_packed(file);
  try {
    if (json.at("format_version") != kRunFormat) {
      throw nn::CheckpointError(file.string() + ": format_version is " +
                                json.at("format_version").dump() + ", expected " +
                                std::to_string(kRunFormat));
    }
    json.get_to(state.counters);
    state.record =
        base::parse<nlohmann::ordered_json>(json.at("record").get_ref<const std::string&>());
    json.at("config").get_to(state.config);
    state.plies_ahead = json.value("plies_ahead", std::int64_t{0});  // an older program's has none
    state.counters.plateau = json.value("plateau", PlateauState{});  // nor this
    for (const Json& seat : json.at("in_flight")) state.in_flight.push_back(in_flight_of(seat));
  } catch (const Json::exception& error) {
    throw nn::CheckpointError(file.string() + ": " + error.what());
  } catch (const base::InputError& error) {
    throw nn::CheckpointError(file.string() + ": a game in flight is damaged: " + error.what());
  }
  state.network = load_student_network(checkpoint);
  nn::WeightsFile trainer = nn::load_weights(checkpoint / kTrainerFile);
  const std::string generation = std::to_string(state.counters.generation);
  const auto require = [&](const std::string& found, const char* name) {
    if (found == generation) return;
    throw nn::CheckpointError((checkpoint / name).string() + ": of generation " + found +
                              ", expected " + generation);
  };
  require(std::to_string(generation_of(state.network)), network_file(state.network));
  require(trainer.metadata[kGeneration], kTrainerFile);
  state.trainer = std::move(trainer.weights);
  return state;
}

void prune_checkpoints(const fs::path& run, int keep) {
  const auto checkpoints = nn::list_checkpoints(run);
  for (std::size_t i = 1; i + static_cast<std::size_t>(keep) < checkpoints.size(); ++i) {
    if (std::stoll(checkpoints[i].filename().string()) % 10 != 0) set_aside(checkpoints[i]);
  }
  remove_what_is_set_aside(run);
}

}  // namespace training
