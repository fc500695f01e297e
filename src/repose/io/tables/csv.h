#pragma once
// What Repose writes as CSV: particles, statistics, bodies. Numbers have the digits it takes to read the same
// number back.

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "repose/particles/frame.h"
#include "repose/solvers/solver.h"

namespace repose {

/// The same columns as the PLY file (io/particles/ply.h), one row a particle.
void write_csv(const std::filesystem::path& path, const Frame& frame);

/// One row of stats.csv.
struct StatsRow {
  int frame = 0;
  double time = 0;          ///< [s]
  double dt = 0;            ///< mean over the frame's steps; 0 without steps [s]
  std::uint64_t steps = 0;  ///< since the frame before
  SolverStats stats;
  std::vector<StageTime> wall;  ///< by stage since the frame before [s]
};
/// frame,t,dt,steps,particles,mass,px,py,pz,kinetic,potential,max_speed,ERRORS,asleep,escaped,left,wall_STAGE...
std::string stats_header(const StatsRow& row);
std::string stats_line(const StatsRow& row);

/// frame,t,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz,fx,fy,fz,tx,ty,tz
std::string bodies_header();
/// One line a body that is there.
std::string bodies_lines(const Frame& frame);
/// The bodies by frame.
std::map<int, std::vector<BodyRow>> read_bodies(const std::filesystem::path& path);

}  // namespace repose
