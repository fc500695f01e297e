#include "repose/geometry/mesh/mesh_audit.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "repose/core/text.h"

namespace repose {
namespace {

constexpr std::size_t kMostRays = 20'000;
// Of area^1.5; a ball has 0.094, a sheet seen from both sides nothing.
constexpr double kLeastVolume = 1e-7;

/// Share of an open mesh's inside that may be unsure.
constexpr double kMostUnsure = 0.1;

std::string count_words(std::size_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", format_count(static_cast<double>(count)), count == 1 ? one : many);
}

/// Collects findings; places come in the file's unit and go out in metres.
class Auditor {
 public:
  Auditor(const MeshSolid& mesh, const MeshUse& use) : mesh_(mesh), use_(use) {}

  std::vector<MeshFinding> take() { return std::move(findings_); }

  /// And, of an open mesh with a clear inside, the warning that it is open.
  void find_errors(bool errors_only) {
    if (use_.thickness > 0) return;
    const MeshFacts& facts = mesh_.topology().facts;
    const std::string shell =
        use_.can_be_shell ? ", or give the body a 'thickness' to make a shell of it" : "";
    if (facts.open_edges.count > 0)
      judge_open_mesh(facts, shell, errors_only);
    else if (facts.twisted_edges.count > 0)
      add_at(
          FindingLevel::error, "not_orientable", facts.twisted_edges,
          fmt::format("the mesh has no inside: {} triangles that face opposite sides, as on a Moebius strip",
                      count_words(facts.twisted_edges.count, "edge joins", "edges join")),
          "mend it in a modelling program" + shell);
    else if (std::abs(mesh_.moments().one) <= kLeastVolume * std::pow(mesh_.area(), 1.5))
      add({FindingLevel::error, "no_volume", "the mesh encloses no volume: a sheet seen from both sides",
           "use a solid" + shell, 1, 0, Vec3d(0)});
  }

  void find_repairs() {
    const MeshFacts& facts = mesh_.topology().facts;
    if (facts.was_inside_out)
      add({FindingLevel::warning, "inside_out", "the mesh was inside out; it was turned",
           "flip its normals in a modelling program, or set 'invert' if matter belongs inside", 1, 0,
           Vec3d(0)});
    if (facts.turned_triangles.count > 0 && use_.thickness <= 0)
      add_at(FindingLevel::warning, "inconsistent_orientation", facts.turned_triangles,
             fmt::format("{} the other way than their neighbours and were turned",
                         count_words(facts.turned_triangles.count, "triangle faced", "triangles faced")),
             "recalculate the normals in a modelling program");
    if (facts.degenerate_triangles.count > 0)
      add_at(FindingLevel::warning, "degenerate_triangles", facts.degenerate_triangles,
             count_words(facts.degenerate_triangles.count, "triangle has no area", "triangles have no area"),
             "harmless; merge vertices by distance to be rid of them");
    if (facts.duplicate_triangles.count > 0)
      add_at(FindingLevel::warning, "duplicate_triangles", facts.duplicate_triangles,
             fmt::format("{} where another is",
                         count_words(facts.duplicate_triangles.count, "triangle stands", "triangles stand")),
             "remove doubles in a modelling program");
    if (facts.crowded_edges.count > 0)
      add_at(FindingLevel::warning, "crowded_edges", facts.crowded_edges,
             fmt::format("{} by more than two triangles: near them inside and outside may be mixed up",
                         count_words(facts.crowded_edges.count, "edge is shared", "edges are shared")),
             "separate the parts, or join them into one solid");
    if (facts.merged_vertices.count > 0)
      add({FindingLevel::note, "merged_vertices",
           fmt::format("{} at the place of another and were merged",
                       count_words(facts.merged_vertices.count, "vertex stood", "vertices stood")),
           "", facts.merged_vertices.count, 0, metres(facts.merged_vertices.position)});
  }

  void find_crossing_triangles() {
    if (use_.thickness > 0 || !mesh_.is_closed()) return;
    const MeshCrossings crossings = find_crossings(mesh_);
    if (crossings.pairs.count == 0) {
      if (crossings.was_cut_short)
        add({FindingLevel::note, "crossings_not_searched",
             "too many triangles lie close together to look for crossings among all of them", "", 0, 0,
             Vec3d(0)});
      return;
    }
    add_at(FindingLevel::warning, "self_intersection", crossings.pairs,
           fmt::format("{}{} of triangles cross each other: near them inside and outside may be mixed up",
                       crossings.was_cut_short ? "at least " : "",
                       count_words(crossings.pairs.count, "pair", "pairs")),
           "join the parts into one solid (boolean union) in a modelling program");
  }

  void find_thin_walls() {
    if (use_.spacing <= 0) return;
    if (use_.thickness > 0) {
      if (use_.thickness < use_.spacing)
        add({FindingLevel::warning, "thin_wall",
             fmt::format("the thickness {:.3g} m is less than the spacing {:.3g} m", use_.thickness,
                         use_.spacing),
             "raise 'thickness' to at least solver.spacing, so that nothing passes", 1, 0, Vec3d(0)});
      return;
    }
    if (!mesh_.is_closed()) return;
    const ThinPlace thin = thinnest_place();
    if (thin.width * use_.scale >= use_.spacing) return;
    MeshCount at;
    at.add(mesh_.topology().source[thin.triangle], thin.position);
    add_at(FindingLevel::warning, "thin_wall", at,
           fmt::format("a wall is only {:.3g} m thick, less than the spacing {:.3g} m",
                       thin.width * use_.scale, use_.spacing),
           "thicken it, or lower solver.spacing, so that nothing passes");
  }

  void find_size() {
    const Vec3d size = use_.scale * mesh_.bounds().size(), middle = use_.scale * mesh_.bounds().center();
    const double largest = std::max({size.x, size.y, size.z});
    add({FindingLevel::note, "size",
         fmt::format("{} in {}, {:.4g} x {:.4g} x {:.4g} m",
                     count_words(mesh_.topology().triangles.size(), "triangle", "triangles"),
                     count_words(mesh_.topology().facts.part_count, "part", "parts"), size.x, size.y, size.z),
         "", mesh_.topology().triangles.size(), 0, middle});
    find_unit(largest);
    if (middle.length() > 10 * size.length())
      add({FindingLevel::warning, "far_from_origin",
           fmt::format("the mesh stands {:.3g} m from its own origin, many times its size", middle.length()),
           "'position', 'rotation' and 'scale' act about that origin: move the mesh to it in a modelling "
           "program",
           1, 0, middle});
  }

 private:
  struct ThinPlace {
    double width = std::numeric_limits<double>::infinity();
    std::uint32_t triangle = 0;
    Vec3d position{0, 0, 0};
  };

  void add(MeshFinding finding) { findings_.push_back(std::move(finding)); }
  void add_at(FindingLevel level, std::string_view name, const MeshCount& count, const std::string& what,
              const std::string& remedy) {
    const Vec3d at = metres(count.position);
    add({level, std::string(name),
         fmt::format("{} ({}triangle {} at {:.4g}, {:.4g}, {:.4g} m)", what, count.count > 1 ? "first: " : "",
                     count.triangle, at.x, at.y, at.z),
         remedy, count.count, count.triangle, at});
  }
  Vec3d metres(const Vec3d& p) const { return use_.scale * p; }

  /// An open mesh is filled where its holes are small beside it: what is inside is then told by its winding
  /// number. A sheet, a bowl or a pipe has no inside to speak of.
  void judge_open_mesh(const MeshFacts& facts, const std::string& shell, bool errors_only) {
    const std::string open = fmt::format("the mesh is open: {} to one triangle only",
                                         count_words(facts.open_edges.count, "edge belongs", "edges belong"));
    const std::string close = "close its holes in a modelling program" + shell;
    const MeshInside inside = judge_inside(mesh_);
    if (inside.points == 0) {
      add_at(FindingLevel::error, "open_edges", facts.open_edges, open, close);
    } else if (inside.unsure > kMostUnsure) {
      add_at(FindingLevel::error, "open_edges", facts.open_edges, open,
             "its holes are so large that inside cannot be told from outside; " + close);
    } else if (!errors_only) {
      const double volume = mesh_.moments().one * use_.scale * use_.scale * use_.scale;
      add_at(FindingLevel::warning, "open_edges", facts.open_edges, open,
             fmt::format(
                 "what is inside is told by the winding number, clearly but for {:.2g} % of the volume of "
                 "{:.3g} m3; to be sure, {}",
                 100 * inside.unsure, volume, close));
    }
  }

  /// Looks from the middles of triangles through the wall to its other side.
  ThinPlace thinnest_place() const {
    const MeshTopology& mesh = mesh_.topology();
    const std::size_t step = mesh.triangles.size() / kMostRays + 1;
    ThinPlace thin;
    for (std::uint32_t t = 0; t < mesh.triangles.size(); t += static_cast<std::uint32_t>(step)) {
      const Vec3d& n = mesh_.face_normal(t);
      if (n.dot(n) == 0) continue;
      const Triangle& corners = mesh.triangles[t];
      const Vec3d middle =
          (mesh.positions[corners[0]] + mesh.positions[corners[1]] + mesh.positions[corners[2]]) / 3.0;
      const TriangleTree::RayHit hit = mesh_.tree().first_on_ray(middle, -n, t);
      // Only faces that look the other way make a wall; a corner between them is no wall.
      if (hit.found && hit.distance < thin.width && mesh_.face_normal(hit.triangle).dot(n) < -0.7)
        thin = {hit.distance, t, middle};
    }
    return thin;
  }

  /// Which of the usual units make the mesh fit the scene, and how large it then is.
  std::string units_that_fit(double largest, double most) const {
    struct Unit {
      double metres;
      std::string_view name;
    };
    std::string fitting;
    for (const Unit unit : {Unit{0.001, "millimetres"}, Unit{0.01, "centimetres"}, Unit{0.0254, "inches"}}) {
      const double size = largest * unit.metres;
      if (size > most || size < 2 * use_.spacing) continue;
      fitting += fmt::format("{}scale = {:g} ({}, {:.3g} m large)", fitting.empty() ? "" : ", or ",
                             unit.metres * use_.scale, unit.name, size);
    }
    return fitting.empty() ? fmt::format("scale = {:g} (millimetres)?", 0.001 * use_.scale) : fitting + "?";
  }

  void find_unit(double largest) {
    const double most = use_.domain_diagonal > 0 ? 3 * use_.domain_diagonal
                        : use_.spacing > 0       ? 5000 * use_.spacing
                                                 : 0;
    if (most > 0 && largest > most && largest > 5) {
      if (mesh_.states_unit()) {
        add({FindingLevel::warning, "larger_than_scene",
             fmt::format("{:.4g} m is very large for this scene, and the file says its unit", largest),
             fmt::format("is 'scale' = {:g} right?", use_.scale), 1, 0, Vec3d(0)});
        return;
      }
      add({FindingLevel::warning, "looks_like_other_unit",
           fmt::format("{:.4g} m is very large for this scene: the file has another unit than metres",
                       largest),
           units_that_fit(largest, most / 3), 1, 0, Vec3d(0)});
      return;
    }
    if (use_.spacing > 0 && largest < 2 * use_.spacing)
      add({FindingLevel::warning, "smaller_than_spacing",
           fmt::format("the mesh is {:.3g} m large, less than two spacings ({:.3g} m each)", largest,
                       use_.spacing),
           "is 'scale' right? If it is, lower solver.spacing", 1, 0, Vec3d(0)});
  }

  const MeshSolid& mesh_;
  const MeshUse& use_;
  std::vector<MeshFinding> findings_;
};

}  // namespace

MeshInside judge_inside(const MeshSolid& mesh) {
  constexpr int kPoints = 12;  // along each side of the bounds
  const Box3d& box = mesh.bounds();
  std::size_t inside = 0, unsure = 0;
  for (int i = 0; i < kPoints; ++i)
    for (int j = 0; j < kPoints; ++j)
      for (int k = 0; k < kPoints; ++k) {
        const Vec3d share = (Vec3d(i, j, k) + Vec3d(0.5)) / kPoints;
        const double w = mesh.winding_number(box.min + share * box.size());
        if (w > 0.5) ++inside;
        if (w > 0.2 && w < 0.8) ++unsure;
      }
  return {inside, inside > 0 ? static_cast<double>(unsure) / static_cast<double>(inside) : 1.0};
}

std::vector<MeshFinding> mesh_errors(const MeshSolid& mesh, const MeshUse& use) {
  Auditor auditor(mesh, use);
  auditor.find_errors(true);
  return auditor.take();
}

std::vector<MeshFinding> audit_mesh(const MeshSolid& mesh, const MeshUse& use) {
  Auditor auditor(mesh, use);
  auditor.find_errors(false);
  auditor.find_repairs();
  auditor.find_crossing_triangles();
  auditor.find_thin_walls();
  auditor.find_size();
  return auditor.take();
}

}  // namespace repose
