#include "repose/solvers/continuum/matter_settings.h"

#include "repose/solvers/borders.h"

namespace repose {

MatterSettings make_matter_settings(const Scene& scene, const std::string& solver) {
  MatterSettings settings;
  settings.solver = solver;
  settings.spacing = scene.solver.spacing;
  for (const Material& material : scene.materials)
    settings.particle_mass.push_back(material.density * settings.spacing * settings.spacing *
                                     settings.spacing);
  settings.domain = scene.domain;
  settings.box = make_domain_box(scene);
  settings.seed = scene.info.seed;
  return settings;
}

}  // namespace repose
