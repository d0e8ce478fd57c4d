#include "studies/advantage.h"
#include "studies/calibration.h"
#include "studies/excitement.h"
#include "studies/luck.h"
#include "studies/scoring.h"

namespace studies {

std::vector<std::unique_ptr<Study>> all_studies() {
  std::vector<std::unique_ptr<Study>> all;
  all.push_back(std::make_unique<LuckStudy>());
  all.push_back(std::make_unique<AdvantageStudy>());
  all.push_back(std::make_unique<ScoringStudy>());
  all.push_back(std::make_unique<ExcitementStudy>());
  all.push_back(std::make_unique<CalibrationStudy>());
  return all;
}

}  // namespace studies
