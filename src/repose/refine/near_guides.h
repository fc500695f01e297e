#pragma once
// The guides around a run of grains, and of these the ones around a block of them: so that sums run over
// little more than the guides in reach.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "repose/exec/compact.h"
#include "repose/refine/guides.h"
#include "repose/refine/lead.h"
#include "repose/refine/refine_model.h"
#include "repose/refine/spatial_order.h"

namespace repose {

class NearGuides {
 public:
  /// Guides within the radius of influence of a box of places, seen from an origin among these. In the order
  /// of the grid's cells, and by id in each.
  void find(const RefineModel& model, const GuideStep& guides, const PlaceBox& box,
            const std::array<std::int32_t, 3>& origin);

  /// Those of them within the radius of influence of a box in that box.
  ChosenGuides choose(const PlaceBox& box) {
    std::array<float, 3> middle, half;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto low = static_cast<float>(box.low[axis] - origin_[axis]),
                 high = static_cast<float>(box.high[axis] - origin_[axis]);
      middle[axis] = kPerUnit * (0.5F * (low + high));
      half[axis] = kPerUnit * (0.5F * (high - low) + 1);
    }
    const std::size_t padded = (size_ + kCompactLanes - 1) / kCompactLanes * kCompactLanes;
    REPOSE_INDEPENDENT_TURNS
    for (std::size_t k = 0; k < padded; ++k) {
      const float ox = std::max(0.0F, std::fabs(x_[k] - middle[0]) - half[0]);
      const float oy = std::max(0.0F, std::fabs(y_[k] - middle[1]) - half[1]);
      const float oz = std::max(0.0F, std::fabs(z_[k] - middle[2]) - half[2]);
      apart_[k] = ox * ox + oy * oy + oz * oz;
    }
    const std::size_t count = indices_below(apart_.data(), padded, 1.0F, chosen_.data());
    return {.guides = {guides_.data(), size_}, .chosen = {chosen_.data(), count}};
  }

 private:
  /// Radii of influence in a unit: a power of two.
  static constexpr float kPerUnit = 1.0F / (1 << FinePlace::kInfluenceBits);

  void reserve(std::size_t count);

  std::array<std::int32_t, 3> origin_{};
  std::size_t size_ = 0;
  std::vector<NearGuide> guides_;
  std::vector<float> x_, y_, z_;  ///< of them; those after the last are far away
  std::vector<float> apart_;      ///< squared distance to a box, in radii of influence
  std::vector<std::uint32_t> row_, chosen_;
};

}  // namespace repose
