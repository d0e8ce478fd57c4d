#pragma once
// The files of the page, which are part of the program.

#include <span>
#include <string_view>

namespace app {

struct WebAsset {
  std::string_view path;  // as it is requested
  std::string_view type;  // the Content-Type
  std::string_view content;
};

std::span<const WebAsset> web_assets();

}  // namespace app
