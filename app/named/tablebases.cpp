#include "app/named/tablebases.h"

#include <fmt/format.h>

namespace app {

std::shared_ptr<const tablebase::Tables> load_tablebase(const std::string& folder,
                                                        rules::RuleSet rules,
                                                        const rules::ScoringTable& table) {
  if (folder.empty()) return nullptr;
  return std::make_shared<const tablebase::Tables>(folder, rules, table);
}

std::string describe_tablebase(const std::string& folder, const tablebase::Tables& tables) {
  return fmt::format("tablebase {}: all endings with up to {} pieces, {:.1f} MiB", folder,
                     tables.pieces(), static_cast<double>(tables.bytes()) / (1 << 20));
}

}  // namespace app
