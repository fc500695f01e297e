#include "repose/render/lettering.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace repose {
namespace {

// A glyph stands on a grid, x from 0 to 4 to the right and y from 0 (top of capitals) to 6 (base line) and 8
// (descenders) down. Its strokes are runs of points "xy", one blank between strokes.
struct Glyph {
  char character;
  std::string_view strokes;
};
constexpr Glyph kGlyphs[] = {
    {'0', "103041453616050110"},
    {'1', "112026 1636"},
    {'2', "01103041420646"},
    {'3', "0110304142334445361605 1333"},
    {'4', "36300444"},
    {'5', "400002324345361605"},
    {'6', "413010010516364544331304"},
    {'7', "004016"},
    {'8', "103041423313020110 1304051636454433"},
    {'9', "051636454130100102133342"},
    {'.', "2626"},
    {',', "2617"},
    {':', "2222 2525"},
    {'-', "0343"},
    {'+', "0343 2145"},
    {'=', "0242 0444"},
    {'/', "0640"},
    {'%', "0640 0011 3546"},
    {'_', "0747"},
    {'^', "022042"},
    {'(', "30212536"},
    {')', "10212516"},
    {'[', "30202636"},
    {']', "10202616"},
    {'A', "0602204246 0444"},
    {'B', "00063645443303 3342413000"},
    {'C', "4130100105163645"},
    {'D', "00062644422000"},
    {'E', "40000646 0333"},
    {'F', "400006 0333"},
    {'G', "41301001051636454323"},
    {'H', "0006 4046 0343"},
    {'I', "1030 2026 1636"},
    {'J', "4045361605"},
    {'K', "0006 400346"},
    {'L', "000646"},
    {'M', "0600234046"},
    {'N', "06004640"},
    {'O', "103041453616050110"},
    {'P', "06003041423303"},
    {'Q', "103041453616050110 2446"},
    {'R', "06003041423303 2346"},
    {'S', "413010010213334445361605"},
    {'T', "0040 2026"},
    {'U', "000516364540"},
    {'V', "002640"},
    {'W', "0016233640"},
    {'X', "0046 4006"},
    {'Y', "002340 2326"},
    {'Z', "00400646"},
    {'a', "12324346 441405163645"},
    {'b', "0006 0312324345361605"},
    {'c', "4332120305163645"},
    {'d', "4046 4332120305163645"},
    {'e', "04444332120305163645"},
    {'f', "41302126 1333"},
    {'g', "4247381807 4332120305163645"},
    {'h', "0006 0312324346"},
    {'i', "2226 2020"},
    {'j', "222718 2020"},
    {'k', "0006 420446"},
    {'l', "2026"},
    {'m', "0206 03122326 23324346"},
    {'n', "0206 0312324346"},
    {'o', "123243453616050312"},
    {'p', "0208 0312324345361605"},
    {'q', "4248 4332120305163645"},
    {'r', "0206 03123243"},
    {'s', "43321203143445361605"},
    {'t', "202536 1232"},
    {'u', "0205163645 4246"},
    {'v', "022642"},
    {'w', "0216243642"},
    {'x', "0246 4206"},
    {'y', "0226 4218"},
    {'z', "02420646"},
};
constexpr double kCapital = 6;  ///< height of capitals on the grid
constexpr double kAdvance = 5.8;
constexpr double kPen = 0.42;  ///< half the width of a stroke, in units of the grid

std::string_view strokes_of(char c) {
  for (const Glyph& glyph : kGlyphs)
    if (glyph.character == c) return glyph.strokes;
  return {};
}

struct Point {
  double x, y;
};

double distance_to_segment(const Point& p, const Point& a, const Point& b) {
  const double dx = b.x - a.x, dy = b.y - a.y, length2 = dx * dx + dy * dy;
  const double k = length2 > 0 ? std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / length2, 0.0, 1.0) : 0;
  return std::hypot(p.x - a.x - k * dx, p.y - a.y - k * dy);
}

void mix(Rgb8& pixel, const Rgb8& color, double share) {
  for (std::size_t c = 0; c < 3; ++c)
    pixel[c] = static_cast<std::uint8_t>(std::lround(pixel[c] + share * (color[c] - pixel[c])));
}

/// How much of each pixel the ink covers, over the part of the picture that the text may touch.
class Ink {
 public:
  Ink(const Image8& image, double x, double y, double width, double height)
      : x0_(std::clamp(static_cast<int>(std::floor(x)), 0, image.width)),
        y0_(std::clamp(static_cast<int>(std::floor(y)), 0, image.height)),
        x1_(std::clamp(static_cast<int>(std::ceil(x + width)), x0_, image.width)),
        y1_(std::clamp(static_cast<int>(std::ceil(y + height)), y0_, image.height)),
        share_(static_cast<std::size_t>(x1_ - x0_) * static_cast<std::size_t>(y1_ - y0_)) {}

  void stroke(const Point& a, const Point& b, double pen) {
    const double reach = pen + 1;
    const int left = std::max(x0_, static_cast<int>(std::floor(std::min(a.x, b.x) - reach)));
    const int right = std::min(x1_, static_cast<int>(std::ceil(std::max(a.x, b.x) + reach)));
    const int top = std::max(y0_, static_cast<int>(std::floor(std::min(a.y, b.y) - reach)));
    const int bottom = std::min(y1_, static_cast<int>(std::ceil(std::max(a.y, b.y) + reach)));
    for (int y = top; y < bottom; ++y)
      for (int x = left; x < right; ++x) {
        const double covered =
            std::clamp(pen + 0.5 - distance_to_segment({x + 0.5, y + 0.5}, a, b), 0.0, 1.0);
        double& share = share_[index(x, y)];
        share = std::max(share, covered);
      }
  }
  void apply(Image8& image, const Rgb8& color) const {
    for (int y = y0_; y < y1_; ++y)
      for (int x = x0_; x < x1_; ++x)
        mix(image.pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
                         static_cast<std::size_t>(x)],
            color, share_[index(x, y)]);
  }

 private:
  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y - y0_) * static_cast<std::size_t>(x1_ - x0_) +
           static_cast<std::size_t>(x - x0_);
  }

  int x0_, y0_, x1_, y1_;
  std::vector<double> share_;
};

void draw_glyph(std::string_view strokes, double x, double y, double unit, Ink& ink) {
  const double pen = std::max(0.5, kPen * unit);
  for (std::size_t i = 0; i + 1 < strokes.size();) {
    const auto point = [&](std::size_t at) {
      return Point{x + unit * (strokes[at] - '0'), y + unit * (strokes[at + 1] - '0')};
    };
    if (i + 3 < strokes.size() && strokes[i + 2] != ' ') {
      ink.stroke(point(i), point(i + 2), pen);
      i += 2;
    } else {
      i += 3;  // over the last point and the blank
    }
  }
}

}  // namespace

double text_width(std::string_view text, double height) {
  const double unit = height / kCapital;
  return text.empty() ? 0 : unit * (kAdvance * static_cast<double>(text.size()) - (kAdvance - 4));
}

void draw_text(Image8& image, std::string_view text, double x, double y, double height, const Rgb8& color) {
  const double unit = height / kCapital;
  Ink ink(image, x - unit - 1, y - unit - 1, text_width(text, height) + 2 * unit + 2, height + 4 * unit + 2);
  for (std::size_t i = 0; i < text.size(); ++i)
    draw_glyph(strokes_of(text[i]), x + kAdvance * unit * static_cast<double>(i), y, unit, ink);
  ink.apply(image, color);
}

void fill_rectangle(Image8& image, int x0, int y0, int x1, int y1, const Rgb8& color, double share) {
  for (int y = std::max(0, y0); y < std::min(image.height, y1); ++y)
    for (int x = std::max(0, x0); x < std::min(image.width, x1); ++x)
      mix(image.pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
                       static_cast<std::size_t>(x)],
          color, share);
}

}  // namespace repose
