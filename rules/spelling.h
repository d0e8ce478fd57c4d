#pragma once
// Text as people write it, brought to one form.

#include <string>
#include <string_view>

namespace rules {

// The text with typographic signs as ASCII has them: dashes and minus signs as "-", the figurines
// of chess as letters, × as "x", ½ as "1/2", … as "...", spaces that do not break as " ".
std::string as_ascii(std::string_view text);

// The words of a name alone: without case, spaces, dashes, "_", "." and "'", with accidentals as
// words, so that "Chess♯", "chess-sharp" and "CHESS_SHARP" are "chesssharp". After "chess" a "b"
// stands for a flat.
std::string folded_name(std::string_view name);

}  // namespace rules
