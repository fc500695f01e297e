#include "repose/render/color_fields.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "repose/render/camera.h"

namespace repose {
namespace {

std::vector<float> lengths(const std::vector<Vec3f>& vectors) {
  std::vector<float> values;
  values.reserve(vectors.size());
  for (const Vec3f& v : vectors) values.push_back(std::sqrt(v.dot(v)));
  return values;
}

template <int axis>
std::vector<float> component(const Frame& frame) {
  std::vector<float> values;
  values.reserve(frame.velocity.size());
  for (const Vec3f& v : frame.velocity) values.push_back(v[axis]);
  return values;
}

std::vector<float> heights(const Frame& frame) {
  std::vector<float> values;
  values.reserve(frame.position.size());
  for (const Vec3d& p : frame.position) values.push_back(static_cast<float>(p.z));
  return values;
}

std::vector<float> channel(const Frame& frame, std::string_view name) {
  for (const ScalarChannel& scalar : frame.scalars)
    if (scalar.name == name) return scalar.values;
  return {};
}

double largest_density(const Scene& scene) {
  double largest = 0;
  for (const Material& material : scene.materials) largest = std::max(largest, material.density);
  return largest > 0 ? largest : Material{}.density;
}

/// Of a free fall through half the height of the scene [m/s].
float fall_speed(const Scene& scene) {
  return static_cast<float>(std::sqrt(scene.info.gravity.length() * content_bounds(scene).size().z));
}

ValueRange both_ways(const Scene& scene) { return {-fall_speed(scene), fall_speed(scene)}; }

ValueRange height_range(const Scene& scene) {
  const Box3d content = content_bounds(scene);
  return {static_cast<float>(content.min.z), static_cast<float>(content.max.z)};
}

/// The bounding radii that the scene's materials can have.
ValueRange radius_range(const Scene& scene) {
  double low = 1, high = 1;
  for (const Material& material : scene.materials)
    for (const SizeClass& size : material.sizes) {
      low = std::min(low, size.diameter);
      high = std::max(high, size.diameter);
    }
  const double radius = 0.5 * scene.solver.spacing;
  return {static_cast<float>(low * radius), static_cast<float>(high * radius)};
}

/// Up to that under matter as high as the scene.
ValueRange pressure_range(const Scene& scene) {
  const double height = content_bounds(scene).size().z;
  return {0, static_cast<float>(largest_density(scene) * scene.info.gravity.length() * height)};
}

/// Matter is hardly denser than at rest; single particles have little around them.
ValueRange density_range(const Scene& scene) { return {0, static_cast<float>(1.2 * largest_density(scene))}; }

constexpr ValueRange kWhole{0, 1};
ValueRange whole(const Scene& /*scene*/) { return kWhole; }

/// What the values of all frames tell about the range of their colours.
enum class Spread {
  between,    ///< it goes from the least to the largest
  from_zero,  ///< it goes from zero to the largest
  measured,   ///< as `between`, less zeros: these are from before the first step
  whole       ///< nothing: it goes from 0 to 1
};

struct ColorField {
  std::string_view name, unit;
  std::vector<float> (*values)(const Frame& frame);
  ValueRange (*expected)(const Scene& scene);  ///< by the scene alone
  Spread spread;
};

constexpr std::array<ColorField, 12> kFields{{
    {"speed", "m/s", [](const Frame& frame) { return lengths(frame.velocity); },
     [](const Scene& scene) {
       return ValueRange{0, fall_speed(scene)};
     },
     Spread::from_zero},
    {"vx", "m/s", component<0>, both_ways, Spread::between},
    {"vy", "m/s", component<1>, both_ways, Spread::between},
    {"vz", "m/s", component<2>, both_ways, Spread::between},
    // Up to that of a grain that rolls as fast as others fall.
    {"spin", "rad/s", [](const Frame& frame) { return lengths(frame.angular_velocity); },
     [](const Scene& scene) {
       return ValueRange{0, fall_speed(scene) / static_cast<float>(0.5 * scene.solver.spacing)};
     },
     Spread::from_zero},
    {"height", "m", heights, height_range, Spread::between},
    {"radius", "m", [](const Frame& frame) { return frame.radius; }, radius_range, Spread::between},
    {"pressure", "Pa", [](const Frame& frame) { return channel(frame, "pressure"); }, pressure_range,
     Spread::from_zero},
    {"density", "kg/m3", [](const Frame& frame) { return channel(frame, "density"); }, density_range,
     Spread::measured},
    {"wetness", "-", [](const Frame& frame) { return channel(frame, "wetness"); }, whole, Spread::whole},
    {"durability", "-", [](const Frame& frame) { return channel(frame, "durability"); }, whole,
     Spread::whole},
    {"asleep", "-", [](const Frame& frame) { return channel(frame, "asleep"); }, whole, Spread::whole},
}};

/// None for "material" and "id".
const ColorField* find_field(std::string_view name) {
  const auto* const found = std::find_if(kFields.begin(), kFields.end(),
                                         [&](const ColorField& field) { return field.name == name; });
  return found != kFields.end() ? found : nullptr;
}

/// Without the outermost five in a thousand to each side: a few that are thrown about would leave the rest
/// one colour.
ValueRange inner_range(std::vector<float>& values) {
  const std::size_t aside = values.size() / 200;
  const auto at = [&](std::size_t k) {
    const auto place = values.begin() + static_cast<std::ptrdiff_t>(k);
    std::nth_element(values.begin(), place, values.end());
    return *place;
  };
  return {at(aside), at(values.size() - 1 - aside)};
}

}  // namespace

bool colors_show_a_value(const std::string& color_by) { return find_field(color_by) != nullptr; }

std::string color_title(const std::string& color_by) {
  return color_by + " [" + std::string(find_field(color_by)->unit) + "]";
}

std::vector<float> color_values(const Frame& frame, const std::string& color_by) {
  const ColorField* field = find_field(color_by);
  return field != nullptr ? field->values(frame) : std::vector<float>{};
}

bool lacks_color_values(const Scene& scene, const Frame& frame) {
  return colors_show_a_value(scene.render.color_by) && frame.particle_count() > 0 &&
         color_values(frame, scene.render.color_by).empty();
}

ValueRange value_range(const Scene& scene) {
  if (const auto& range = scene.render.range)
    return {static_cast<float>((*range)[0]), static_cast<float>((*range)[1])};
  return find_field(scene.render.color_by)->expected(scene);
}

std::optional<ValueRange> color_range(const Scene& scene, const Frame& frame) {
  if (!colors_show_a_value(scene.render.color_by) || lacks_color_values(scene, frame)) return {};
  return value_range(scene);
}

void add_color_values(const Frame& frame, const std::string& color_by, std::vector<float>& pool) {
  constexpr std::size_t kLookedAt = 10000;  // of a frame, about
  std::vector<float> values = color_values(frame, color_by);
  std::erase_if(values, [](float v) { return !std::isfinite(v); });
  const std::size_t stride = std::max<std::size_t>(1, values.size() / kLookedAt);
  for (std::size_t i = 0; i < values.size(); i += stride) pool.push_back(values[i]);
}

std::optional<ValueRange> spread_of(std::vector<float> values, const std::string& color_by) {
  const Spread spread = find_field(color_by)->spread;
  if (values.empty()) return {};
  if (spread == Spread::whole) return kWhole;
  if (spread == Spread::measured) std::erase(values, 0.0F);
  if (values.empty()) return {};
  const ValueRange range = inner_range(values);
  return ValueRange{spread == Spread::from_zero ? 0 : range.low, range.high};
}

std::optional<ValueRange> spread_of(const Frame& frame, const std::string& color_by) {
  std::vector<float> values;
  add_color_values(frame, color_by, values);
  return spread_of(std::move(values), color_by);
}

}  // namespace repose
