// In place of postgres_*.cpp where libpqxx was not found.

#include <nlohmann/json.hpp>

#include "selfplay/shared_store.h"

namespace selfplay {

std::unique_ptr<SharedStore> open_shared_store(const StoreAccess&) {
  throw base::InputError(
      "postgresql://: this program was built without PostgreSQL; install libpqxx-dev and build it "
      "anew, or leave --store out for games.db");
}

}  // namespace selfplay
