#pragma once
// Solves all positions of one material, ply by ply away from the impasse; tables.h says why that is
// exact.

#include <cstdint>
#include <functional>
#include <string>

#include "tablebase/table_file.h"
#include "tablebase/tables.h"

namespace tablebase {

// `smaller` knows everything that captures and promotions lead to; its rules and table are those
// that are solved for. Returns an empty solution, without cells, once `stopped` says so. Throws
// base::EnvironmentError where the material has more courses than a file can hold.
Solution solve(const Material& material, const Tables& smaller,
               const std::function<bool()>& stopped);

}  // namespace tablebase
