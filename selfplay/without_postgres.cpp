// In place of postgres_*.cpp where libpqxx was not found, and in a program without shared
// libraries.

#include <nlohmann/json.hpp>

#include "base/errors.h"
#include "selfplay/shared_store.h"

namespace selfplay {

std::unique_ptr<SharedStore> open_shared_store(const StoreAccess&) {
  throw base::EnvironmentError(
      "postgresql://: this program was built without PostgreSQL; build it with libpqxx-dev, as the "
      "launcher of the sources does, or leave --store out for games.db");
}

}  // namespace selfplay
