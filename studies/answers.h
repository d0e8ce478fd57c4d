#pragma once
// The inventor's questions, answered in words from what the studies measured.

#include <nlohmann/json.hpp>
#include <string>

namespace studies {

// "5.12 [4.90, 5.33]" of {mean, low, high}, each times `factor`; "-" of null.
std::string estimate_text(const nlohmann::ordered_json& estimate, int digits = 2,
                          double factor = 1);

// [{question, answer}] of what `advantage` or `scoring` wrote.
nlohmann::ordered_json advantage_answers(const nlohmann::ordered_json& advantage);
nlohmann::ordered_json scoring_answers(const nlohmann::ordered_json& scoring);
std::string answers_text(const nlohmann::ordered_json& answers);

}  // namespace studies
