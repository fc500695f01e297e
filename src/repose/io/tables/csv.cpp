#include "repose/io/tables/csv.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <iterator>

#include <fmt/format.h>

#include "repose/core/error.h"
#include "repose/io/atomic_file.h"
#include "repose/io/particles/frame_columns.h"
#include "repose/io/tables/csv_table.h"

namespace repose {
namespace {

template <class T>
T load(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}

void append_value(fmt::memory_buffer& text, ColumnType type, const std::byte* at) {
  switch (type) {
    case ColumnType::uint8:
      fmt::format_to(std::back_inserter(text), "{}", load<std::uint8_t>(at));
      break;
    case ColumnType::uint16:
      fmt::format_to(std::back_inserter(text), "{}", load<std::uint16_t>(at));
      break;
    case ColumnType::uint32:
      fmt::format_to(std::back_inserter(text), "{}", load<std::uint32_t>(at));
      break;
    case ColumnType::float32:
      fmt::format_to(std::back_inserter(text), "{}", load<float>(at));
      break;
  }
}

void append_rows(fmt::memory_buffer& text, const std::vector<FrameColumn>& columns,
                 const std::vector<std::byte>& rows, std::size_t count) {
  const std::byte* at = rows.data();
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (c > 0) text.push_back(',');
      append_value(text, columns[c].type, at);
      at += size_of(columns[c].type);
    }
    text.push_back('\n');
  }
}

/// The numbers of a body after its name, in the order of the columns.
std::array<double, 19> body_numbers(const BodyRow& body) {
  const Pose& pose = body.pose;
  const Vec3d &p = pose.position, &u = pose.rotation.v, &v = body.velocity, &w = body.angular_velocity,
              &f = body.force, &t = body.torque;
  return {p.x, p.y, p.z, pose.rotation.r, u.x, u.y, u.z, v.x, v.y, v.z, w.x, w.y, w.z, f.x, f.y, f.z,
          t.x, t.y, t.z};
}

BodyRow body_from_numbers(const std::string& name, const std::array<double, 19>& n) {
  BodyRow body;
  body.name = name;
  body.pose.position = {n[0], n[1], n[2]};
  body.pose.rotation = Quatd(n[3], n[4], n[5], n[6]);
  body.velocity = {n[7], n[8], n[9]};
  body.angular_velocity = {n[10], n[11], n[12]};
  body.force = {n[13], n[14], n[15]};
  body.torque = {n[16], n[17], n[18]};
  return body;
}

template <class T>
T parse_field(const std::filesystem::path& path, std::size_t row, const std::string& field) {
  T value{};
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (error != std::errc() || end != field.data() + field.size())
    throw Error(ExitCode::run_failed,
                fmt::format("{}:{}: '{}' is no number: the file is damaged", path.string(), row + 2, field));
  return value;
}

}  // namespace

void write_csv(const std::filesystem::path& path, const Frame& frame) {
  const auto columns = frame_columns(frame);
  AtomicFile file(path);
  fmt::memory_buffer text;
  for (std::size_t c = 0; c < columns.size(); ++c)
    fmt::format_to(std::back_inserter(text), "{}{}", c > 0 ? "," : "", csv_field(columns[c].name));
  text.push_back('\n');
  std::vector<std::byte> rows(row_size(columns) * kRowBlock);
  for (std::size_t begin = 0; begin < frame.particle_count(); begin += kRowBlock) {
    const std::size_t end = std::min(begin + kRowBlock, frame.particle_count());
    put_rows(columns, begin, end, rows.data());
    append_rows(text, columns, rows, end - begin);
    file.write(std::string_view(text.data(), text.size()));
    text.clear();
  }
  file.write(std::string_view(text.data(), text.size()));
  file.commit();
}

std::string stats_header(const StatsRow& row) {
  std::string text = "frame,t,dt,steps,particles,mass,px,py,pz,kinetic,potential,max_speed";
  for (const ErrorMeasure& measure : row.stats.errors) text += ',' + csv_field(measure.name);
  text += ",asleep,escaped,left";
  for (const StageTime& stage : row.wall) text += ',' + csv_field("wall_" + stage.name);
  return text;
}

std::string stats_line(const StatsRow& row) {
  const SolverStats& s = row.stats;
  std::string text =
      fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}", row.frame, row.time, row.dt, row.steps, s.particles,
                  s.mass, s.momentum.x, s.momentum.y, s.momentum.z, s.kinetic, s.potential, s.max_speed);
  for (const ErrorMeasure& measure : s.errors) text += fmt::format(",{}", measure.value);
  text += fmt::format(",{},{},{}", s.asleep, s.escaped, s.left);
  for (const StageTime& stage : row.wall) text += fmt::format(",{:.6f}", stage.seconds);
  return text + '\n';
}

std::string bodies_header() { return "frame,t,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz,fx,fy,fz,tx,ty,tz"; }

std::string bodies_lines(const Frame& frame) {
  std::string text;
  for (const BodyRow& body : frame.bodies) {
    if (!body.present) continue;
    text += fmt::format("{},{},{}", frame.index, frame.time, csv_field(body.name));
    for (const double number : body_numbers(body)) text += fmt::format(",{}", number);
    text += '\n';
  }
  return text;
}

std::map<int, std::vector<BodyRow>> read_bodies(const std::filesystem::path& path) {
  const CsvContent content = read_csv(path);
  std::array<double, 19> numbers{};
  if (content.columns.size() != numbers.size() + 3)
    throw Error(ExitCode::run_failed, fmt::format("{}: has other columns than repose writes", path.string()));
  std::map<int, std::vector<BodyRow>> bodies;
  for (std::size_t i = 0; i < content.rows.size(); ++i) {
    const auto& fields = content.rows[i];
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      numbers[k] = parse_field<double>(path, i, fields[k + 3]);
      if (!std::isfinite(numbers[k]))
        throw Error(ExitCode::run_failed,
                    fmt::format("{}:{}: column '{}' is {}: the file is damaged", path.string(), i + 2,
                                content.columns[k + 3], numbers[k]));
    }
    bodies[parse_field<int>(path, i, fields[0])].push_back(body_from_numbers(fields[2], numbers));
  }
  return bodies;
}

}  // namespace repose
