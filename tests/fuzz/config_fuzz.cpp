// Any text as a config: refused in one line, or written again as a text that means the same.
#include "base/errors.h"
#include "tests/fuzz/check.h"
#include "training/settings/run_config.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const training::RunConfig config = training::parse_config(text, "fuzz");
    const training::RunConfig again =
        training::parse_config(training::to_toml(config, /*with_help=*/true), "again");
    fuzz::check(training::to_toml(config, false) == training::to_toml(again, false),
                "a config reads back");
  } catch (const base::InputError& error) {
    for (const char c : std::string_view(error.what())) {
      fuzz::check(static_cast<unsigned char>(c) >= 0x20, "a refusal is one printable line");
    }
  }
  return 0;
}
