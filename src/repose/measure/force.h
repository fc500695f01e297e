#pragma once
// What matter does to bodies, as impulses. A solver's body rows carry means of forces since an interval
// began; the impulse of a step is the difference of two such means times their spans. So it is exact, however
// steps, rows and frames fall.

#include <span>
#include <string>
#include <vector>

#include "repose/math/vec.h"
#include "repose/particles/frame.h"

namespace repose {

struct ImpulseSum {
  Vec3d linear{0, 0, 0};   ///< [N s]
  Vec3d angular{0, 0, 0};  ///< [N m s]; of one body about its origin, of several about the world's
};

class ForceWatch {
 public:
  /// Names as a probe gives them; one of a body with copies stands for all of them.
  explicit ForceWatch(std::span<const std::string> names) : names_(names.begin(), names.end()) {}

  /// Says where the interval stands whose means the rows carry, `span` seconds after it began.
  void begin(std::span<const BodyRow> rows, double span);
  /// What the bodies together got since the call before, with the rows as they are now.
  ImpulseSum advance(std::span<const BodyRow> rows, double span);

 private:
  bool is_named(const BodyRow& row) const;

  std::vector<std::string> names_;
  std::vector<ImpulseSum> before_;  ///< by row of the bodies, since the interval began
};

}  // namespace repose
