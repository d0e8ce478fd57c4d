#pragma once
// How wrong the evaluation of similar positions was in an alpha-beta search.

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

#include "rules/position.h"
#include "tactics/search_constants.h"

namespace tactics {

// The mean difference, for the side to move, between what the search of a position came to and its
// evaluation: by pawns, by each side's pieces, and by what is in hand. Positions that share a slot
// share its mean. Of two threads that learn at once one may be lost.
class CorrectionHistory {
 public:
  // The slots of one position.
  struct Slots {
    std::array<std::uint32_t, 4> at;  // pawns, White's pieces, Black's pieces, reserves
  };
  CorrectionHistory() : entries_(4 * kSlots) {}
  void clear() {
    for (auto& each : entries_) each.store(0, std::memory_order_relaxed);
  }

  static Slots slots_of(const rules::Position& position) {
    using rules::Color, rules::PieceType;
    Slots slots;
    const auto set = [&](std::uint32_t table, std::uint64_t mixed) {
      slots.at[table] = table * kSlots +
                        static_cast<std::uint32_t>(index(position.side_to_move())) * kSlots / 2 +
                        static_cast<std::uint32_t>(mixed >> (64 - kSlotBits + 1));
    };
    const auto pieces = [&](Color color, PieceType type, std::uint64_t factor) {
      const std::uint64_t mixed = position.pieces(color, type) * factor;
      return mixed ^ (mixed >> 32);
    };
    const auto army = [&](Color color) {
      return (pieces(color, PieceType::kKnight, 0x9e3779b97f4a7c15) +
              pieces(color, PieceType::kBishop, 0xbf58476d1ce4e5b9) +
              pieces(color, PieceType::kRook, 0x94d049bb133111eb) +
              pieces(color, PieceType::kQueen, 0xd6e8feb86659fd93) +
              pieces(color, PieceType::kKing, 0xff51afd7ed558ccd)) *
             kLast;
    };
    set(0, (pieces(Color::kWhite, PieceType::kPawn, 0x9e3779b97f4a7c15) +
            pieces(Color::kBlack, PieceType::kPawn, 0xbf58476d1ce4e5b9)) *
               kLast);
    set(1, army(Color::kWhite));
    set(2, army(Color::kBlack));
    std::uint64_t hands = 0;
    for (const Color color : {Color::kWhite, Color::kBlack}) {
      for (int type = 1; type < rules::kPieceTypes; ++type) {
        hands = hands * 4 +
                static_cast<std::uint64_t>(position.reserve(color, static_cast<PieceType>(type)));
      }
    }
    set(3, (hands + 1) * kLast);
    return slots;
  }

  // What is to be added to the evaluation.
  int correction(const Slots& slots) const {
    const int sum = kCorrectionPawns * value(slots.at[0]) +
                    kCorrectionPieces * (value(slots.at[1]) + value(slots.at[2])) +
                    kCorrectionReserves * value(slots.at[3]);
    return sum / (100 * kFraction);
  }
  // `error`: what a search so deep came to, less the evaluation without correction.
  void learn(const Slots& slots, int error, int depth) {
    const int weight = std::min(depth + 1, kCorrectionMostWeight);
    const int scaled = std::clamp(error, -kCorrectionMost, kCorrectionMost) * kFraction;
    for (const std::uint32_t at : slots.at) {
      const int before = value(at);
      entries_[at].store(static_cast<std::int16_t>(before + (scaled - before) * weight / kWeights),
                         std::memory_order_relaxed);
    }
  }

 private:
  static constexpr std::uint32_t kSlotBits = 15;
  static constexpr std::uint32_t kSlots = 1u << kSlotBits;  // of a table, both sides
  static constexpr std::uint64_t kLast = 0x9e3779b97f4a7c15;
  static constexpr int kFraction = 64;  // an entry counts 64ths of a score
  static constexpr int kWeights = 256;  // a search's weight is in 256ths

  int value(std::uint32_t at) const { return entries_[at].load(std::memory_order_relaxed); }

  std::vector<std::atomic<std::int16_t>> entries_;
};

}  // namespace tactics
