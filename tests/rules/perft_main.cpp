// perft_speed DEPTH [every-leaf]: leaves of the start, counted in bulk or each one made; for
// scripts/bench_rules.py.
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "rules/perft.h"

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: perft_speed DEPTH [every-leaf]\n");
    return 2;
  }
  const bool every_leaf = argc > 2 && std::string_view(argv[2]) == "every-leaf";
  const auto leaves =
      rules::perft(rules::Position::start(), std::atoi(argv[1]), {.bulk = !every_leaf});
  std::printf("%llu\n", static_cast<unsigned long long>(leaves));
}
