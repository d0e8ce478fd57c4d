// Any bytes as a store of games: refused, or read to its end.
#include "base/errors.h"
#include "rules/error.h"
#include "selfplay/game_store.h"
#include "tests/fuzz/file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto path = fuzz::file_of(data, size);
  try {
    const selfplay::GameStore store(path, selfplay::StoreMode::kRead);
    store.visit({}, [](const selfplay::GameRecord& record) {
      try {
        selfplay::replay(record);
      } catch (const base::InputError&) {
      } catch (const rules::RulesError&) {
      }
      return true;
    });
  } catch (const base::InputError&) {
  } catch (const base::EnvironmentError&) {  // SQLite asks for what the file cannot give
  }
  return 0;
}
