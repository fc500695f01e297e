#include "repose/render/legend.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "repose/render/color_fields.h"
#include "repose/render/grain_colors.h"
#include "repose/render/lettering.h"
#include "repose/render/tone.h"

namespace repose {
namespace {

constexpr int kLeastHeight = 120;     ///< of a picture whose legend can be read [pixel]
constexpr double kTextHeight = 0.02;  ///< of capitals, share of the picture's height
constexpr double kBarHeight = 0.42;   ///< likewise
constexpr Rgb8 kPaper{16, 18, 22}, kInkColor{240, 240, 240};
constexpr double kPaperShare = 0.62;

/// The largest of 1, 2, 5, 10, ... times a power of ten that cuts the span into at least four parts.
double round_step(double span) {
  const double power = std::pow(10, std::floor(std::log10(span / 4)));
  for (const double factor : {5.0, 2.0})
    if (factor * power <= span / 4 * (1 + 1e-9)) return factor * power;
  return power;
}

Rgb8 shown_color(const Color& color) {
  const auto channel = [](float v) {
    return static_cast<std::uint8_t>(std::lround(255 * encode_srgb(std::clamp(v, 0.0F, 1.0F))));
  };
  return {channel(color.x), channel(color.y), channel(color.z)};
}

}  // namespace

std::vector<Tick> make_ticks(double low, double high) {
  if (!(high > low)) return {{low, fmt::format("{:.3g}", low)}};
  const double step = round_step(high - low);
  const double largest = std::max(std::fabs(low), std::fabs(high));
  const int digits = std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9)));
  std::vector<Tick> ticks;
  const auto first = static_cast<long>(std::ceil(low / step - 1e-6));
  const auto last = static_cast<long>(std::floor(high / step + 1e-6));
  for (long k = first; k <= last; ++k) {
    const double value = static_cast<double>(k) * step;
    const bool plain = largest < 1e5 && digits <= 4;
    ticks.push_back({value, plain ? fmt::format("{:.{}f}", value, digits) : fmt::format("{:.3g}", value)});
  }
  return ticks;
}

void draw_legend(Image8& image, const Scene& scene, const Frame& frame) {
  const std::optional<ValueRange> range = color_range(scene, frame);
  if (!range || !scene.render.legend || image.height < kLeastHeight) return;
  const double text = std::max(7.0, kTextHeight * image.height);
  const std::string title = color_title(scene.render.color_by);
  const std::vector<Tick> ticks =
      make_ticks(static_cast<double>(range->low), static_cast<double>(range->high));
  double label_width = 0;
  for (const Tick& tick : ticks) label_width = std::max(label_width, text_width(tick.label, text));

  const int pad = static_cast<int>(std::lround(1.2 * text)),
            bar_width = static_cast<int>(std::lround(1.5 * text));
  const int bar_height = static_cast<int>(std::lround(kBarHeight * image.height));
  const int gap = static_cast<int>(std::lround(0.8 * text));
  const int inner = std::max(static_cast<int>(std::ceil(text_width(title, text))),
                             bar_width + 2 * gap + static_cast<int>(std::ceil(label_width)));
  const int right = image.width - pad, left = right - inner - 2 * pad;
  const int top = pad, bar_top = top + pad + static_cast<int>(std::lround(2.4 * text));
  fill_rectangle(image, left, top, right, bar_top + bar_height + pad, kPaper, kPaperShare);
  draw_text(image, title, left + pad, top + pad, text, kInkColor);
  for (int y = 0; y < bar_height; ++y) {
    const float share = 1 - (static_cast<float>(y) + 0.5F) / static_cast<float>(bar_height);
    fill_rectangle(image, left + pad, bar_top + y, left + pad + bar_width, bar_top + y + 1,
                   shown_color(scale_color(share, scene.render.palette)));
  }
  const double span = static_cast<double>(range->high - range->low);
  for (const Tick& tick : ticks) {
    const double share = span > 0 ? (tick.value - static_cast<double>(range->low)) / span : 0;
    const double y = bar_top + (1 - share) * bar_height;
    const int line = std::clamp(static_cast<int>(std::lround(y)), bar_top, bar_top + bar_height - 1);
    fill_rectangle(image, left + pad + bar_width, line, left + pad + bar_width + gap, line + 1, kInkColor);
    draw_text(image, tick.label, left + pad + bar_width + 2 * gap, y - 0.5 * text, text, kInkColor);
  }
}

}  // namespace repose
