// Any bytes as a game's record, with a checksum that fits: refused, or a game that is written and
// read again unchanged. Moves need not be legal, nor ends ends:
// replay() and checked_game() say so.
#include "base/block.h"
#include "base/errors.h"
#include "rules/error.h"
#include "selfplay/game_record.h"
#include "tests/fuzz/check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span bytes(reinterpret_cast<const std::byte*>(data), size);
  try {
    selfplay::decode(bytes);
  } catch (const base::InputError&) {
  }
  try {
    const selfplay::GameRecord record = selfplay::decode(base::pack(bytes));
    const auto block = selfplay::encode(record);
    fuzz::check(selfplay::encode(selfplay::decode(block)) == block, "a record reads back");
    selfplay::replay(record);
    selfplay::checked_game(block, {record.rules, record.generation});
  } catch (const base::InputError&) {
  } catch (const rules::RulesError&) {
  }
  return 0;
}
