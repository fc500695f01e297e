#pragma once
// Bodies covered with spheres (Bell 2005, section 3.3): grains then touch these spheres in place of the
// body's smooth surface, with the same contact forces, and what they push is handed to the body.
//
// The spheres lie inside and touch the surface from within, so that the body keeps its size. `roughness`
// adds a second, thinner layer of smaller spheres halfway out of the surface, as the paper does for the
// ground of its hourglass and splash. Bodies among themselves meet as smooth shapes (bodies.h).
//
// In the scratch the spheres of covers stand after those of all grains; the row of their "grain" is the
// number of grains plus that of the cover.

#include "repose/bodies/bodies.h"
#include "repose/exec/threads.h"
#include "repose/particles/packing/crowd.h"
#include "repose/scene/scene.h"
#include "repose/solvers/dem/dem_model.h"
#include "repose/solvers/dem/dem_scratch.h"

namespace repose {

/// Covers the bodies that ask for it. Throws Error(bad_scene) where one cannot be covered.
std::vector<BodyCover> make_covers(const Scene& scene, const Bodies& bodies, Threads& threads);

/// Adds covered bodies to a crowd, after its grains, one held row and one shape a body: packings then make
/// room for what stands out of the surface, too.
void add_covers(const DemModel& model, const Bodies& bodies, std::vector<GrainShape>& shapes,
                PackedGrains& grains);

/// Adds the spheres of covers to the scratch, after those of `grains` grains.
void add_cover_spheres(const DemModel& model, std::size_t grains, DemScratch& scratch);

/// Puts them where their bodies are. A body that was removed or let go makes lists out of date.
void place_covers(const DemModel& model, const Bodies& bodies, DemScratch& scratch);

/// The fastest that a covered body's surface moves [m/s].
double cover_speed(const DemModel& model, const Bodies& bodies);

/// What grains do to the spheres of one cover, by unit of time.
BodyImpulse reaction_of_cover(const DemModel& model, const DemScratch& scratch, const Bodies& bodies,
                              std::size_t index);

/// Hands what grains did to the spheres of covers to their bodies, as impulses over dt [s].
void push_covered_bodies(const DemModel& model, const DemScratch& scratch, double dt, Bodies& bodies);

/// The longest step [s] at which free covered bodies are stable between the grains that touch them.
double longest_step_of_covers(const DemModel& model, const DemScratch& scratch, const Bodies& bodies);

}  // namespace repose
