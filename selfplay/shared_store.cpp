#include "selfplay/shared_store.h"

namespace selfplay {

bool is_store_url(std::string_view text) {
  return text.starts_with("postgresql://") || text.starts_with("postgres://");
}

}  // namespace selfplay
