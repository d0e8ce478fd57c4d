#pragma once
// The files of the page, which are part of the program.

#include <string>
#include <string_view>
#include <vector>

namespace app {

struct WebAsset {
  std::string path;       // as it is requested
  std::string_view type;  // the Content-Type
  std::string content;
};

const std::vector<WebAsset>& web_assets();

}  // namespace app
