#include "repose/measure/force.h"

#include <algorithm>
#include <string_view>

namespace repose {

namespace {

/// "box.12" of "box".
bool is_copy(std::string_view name, std::string_view family) {
  if (!name.starts_with(family) || name.size() < family.size() + 2 || name[family.size()] != '.')
    return false;
  return name.find_first_not_of("0123456789", family.size() + 1) == std::string_view::npos;
}

}  // namespace

bool ForceWatch::is_named(const BodyRow& row) const {
  return std::any_of(names_.begin(), names_.end(),
                     [&](const std::string& name) { return row.name == name || is_copy(row.name, name); });
}

void ForceWatch::begin(std::span<const BodyRow> rows, double span) {
  before_.assign(rows.size(), {});
  for (std::size_t b = 0; b < rows.size(); ++b)
    if (rows[b].present) before_[b] = {span * rows[b].force, span * rows[b].torque};
}

ImpulseSum ForceWatch::advance(std::span<const BodyRow> rows, double span) {
  const std::vector<ImpulseSum> last = before_;
  begin(rows, span);
  const auto named = std::count_if(rows.begin(), rows.end(), [&](const BodyRow& r) { return is_named(r); });
  ImpulseSum sum;
  for (std::size_t b = 0; b < rows.size(); ++b) {
    if (!rows[b].present || !is_named(rows[b])) continue;
    const ImpulseSum start = b < last.size() ? last[b] : ImpulseSum{};
    const Vec3d linear = before_[b].linear - start.linear;
    sum.linear += linear;
    sum.angular += before_[b].angular - start.angular;
    if (named > 1) sum.angular += rows[b].pose.position.cross(linear);
  }
  return sum;
}

}  // namespace repose
