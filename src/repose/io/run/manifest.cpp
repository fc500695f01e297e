#include "repose/io/run/manifest.h"

#include <array>
#include <chrono>
#include <cmath>
#include <ctime>
#include <limits>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "repose/core/error.h"
#include "repose/io/atomic_file.h"
#include "repose/io/read_file.h"

namespace repose {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 4> kStatusNames{"running", "done", "interrupted", "failed"};

std::string now_in_utc() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now));
}

Json timings_to_json(const std::vector<StageTime>& timings) {
  Json json = Json::object();
  for (const StageTime& stage : timings) json[stage.name] = stage.seconds;
  return json;
}

Json limits_to_json(const std::vector<Manifest::Limit>& limits) {
  Json json = Json::object();
  for (const auto& limit : limits) json[limit.limit] = limit.steps;
  return json;
}

Json number_or_null(const std::optional<double>& number) {
  return number && std::isfinite(*number) ? Json(*number) : Json(nullptr);
}

std::optional<double> number_from(const Json& json) {
  return json.is_number() ? std::optional(json.get<double>()) : std::nullopt;
}

Json checks_to_json(const std::vector<CheckResult>& checks) {
  Json json = Json::array();
  for (const CheckResult& check : checks)
    json.push_back({{"name", check.name},
                    {"subject", check.subject},
                    {"when", check.when},
                    {"value", number_or_null(check.value)},
                    {"min", number_or_null(check.min)},
                    {"max", number_or_null(check.max)},
                    {"passed", check.passed},
                    {"reached", check.reached},
                    {"problem", check.problem}});
  return json;
}

std::vector<CheckResult> checks_from(const Json& json) {
  std::vector<CheckResult> checks;
  for (const Json& entry : json) {
    CheckResult check;
    entry.at("name").get_to(check.name);
    entry.at("subject").get_to(check.subject);
    entry.at("when").get_to(check.when);
    check.value = number_from(entry.at("value")).value_or(std::numeric_limits<double>::quiet_NaN());
    check.min = number_from(entry.at("min"));
    check.max = number_from(entry.at("max"));
    entry.at("passed").get_to(check.passed);
    entry.at("reached").get_to(check.reached);
    entry.at("problem").get_to(check.problem);
    checks.push_back(std::move(check));
  }
  return checks;
}

Json to_json(const Manifest& m) {
  return Json{
      {"schema", Manifest::kSchema},
      {"version", m.version},
      {"status", to_string(m.status)},
      {"message", m.message},
      {"created", m.created},
      {"updated", m.updated},
      {"scene", m.scene_path},
      {"title", m.title},
      {"scene_hash", m.scene_hash},
      {"physics_hash", m.physics_hash},
      {"state_hash", m.state_hash},
      {"solver", m.solver},
      {"precision", m.precision},
      {"seed", m.seed},
      {"threads", m.threads},
      {"frames",
       {{"fps", m.fps}, {"done", m.frames_done}, {"total", m.frames_total}, {"written", m.written}}},
      {"formats", m.formats},
      {"channels", m.channels},
      {"bodies", m.bodies},
      {"particles", m.particles},
      {"elements", m.elements},
      {"steps", m.steps},
      {"total", m.total},
      {"escaped", m.escaped},
      {"left", m.left},
      {"fine_grains", m.fine_grains},
      {"fine_hash", m.fine_hash},
      {"dt",
       {{"min", m.dt_min}, {"mean", m.dt_mean}, {"max", m.dt_max}, {"limits", limits_to_json(m.dt_limits)}}},
      {"timings", timings_to_json(m.timings)},
      {"notes", m.notes},
      {"checkpoint_frame", m.checkpoint_frame},
      {"checks", checks_to_json(m.checks)}};
}

RunStatus status_from(const std::string& name) {
  for (std::size_t i = 0; i < kStatusNames.size(); ++i)
    if (kStatusNames[i] == name) return static_cast<RunStatus>(i);
  return RunStatus::failed;
}

/// A whole number of a range; casting another one to an int would be undefined.
int whole_number(const Json& json, const char* key, int least) {
  const double number = json.at(key).get<double>();
  if (!(number >= least && number <= std::numeric_limits<int>::max()))
    throw Json::other_error::create(501, fmt::format("'{}' is {}", key, number), &json);
  return static_cast<int>(number);
}

void check_rate(double fps, const Json& json) {
  if (!(fps > 0 && std::isfinite(fps)))
    throw Json::other_error::create(501, fmt::format("'fps' is {}", fps), &json);
}

Manifest from_json(const Json& json) {
  Manifest m;
  json.at("version").get_to(m.version);
  m.status = status_from(json.at("status").get<std::string>());
  json.at("message").get_to(m.message);
  json.at("created").get_to(m.created);
  json.at("updated").get_to(m.updated);
  json.at("scene").get_to(m.scene_path);
  json.at("title").get_to(m.title);
  json.at("scene_hash").get_to(m.scene_hash);
  json.at("physics_hash").get_to(m.physics_hash);
  json.at("state_hash").get_to(m.state_hash);
  json.at("solver").get_to(m.solver);
  json.at("precision").get_to(m.precision);
  json.at("seed").get_to(m.seed);
  m.threads = whole_number(json, "threads", 0);
  const Json& frames = json.at("frames");
  frames.at("fps").get_to(m.fps);
  check_rate(m.fps, frames);
  m.frames_done = whole_number(frames, "done", -1);
  m.frames_total = whole_number(frames, "total", 0);
  frames.at("written").get_to(m.written);
  json.at("formats").get_to(m.formats);
  json.at("channels").get_to(m.channels);
  json.at("bodies").get_to(m.bodies);
  json.at("particles").get_to(m.particles);
  json.at("elements").get_to(m.elements);
  json.at("steps").get_to(m.steps);
  json.at("escaped").get_to(m.escaped);
  m.total = json.value("total", m.particles);
  m.left = json.value("left", std::uint64_t{0});
  m.fine_grains = json.value("fine_grains", std::uint64_t{0});
  m.fine_hash = json.value("fine_hash", std::string());
  const Json& dt = json.at("dt");
  dt.at("min").get_to(m.dt_min);
  dt.at("mean").get_to(m.dt_mean);
  dt.at("max").get_to(m.dt_max);
  for (const auto& [name, steps] : dt.at("limits").items())
    m.dt_limits.push_back({name, steps.get<std::uint64_t>()});
  for (const auto& [name, seconds] : json.at("timings").items())
    m.timings.push_back({name, seconds.get<double>()});
  json.at("notes").get_to(m.notes);
  m.checkpoint_frame = whole_number(json, "checkpoint_frame", -1);
  if (json.contains("checks")) m.checks = checks_from(json.at("checks"));
  return m;
}

}  // namespace

std::string_view to_string(RunStatus status) { return kStatusNames[static_cast<std::size_t>(status)]; }

std::string checks_json(const std::vector<CheckResult>& checks) {
  return checks_to_json(checks).dump(-1, ' ', false, Json::error_handler_t::replace);
}

void write_manifest(const std::filesystem::path& path, Manifest& manifest) {
  manifest.updated = now_in_utc();
  if (manifest.created.empty()) manifest.created = manifest.updated;
  write_file(path, to_json(manifest).dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
}

Manifest read_manifest(const std::filesystem::path& path) {
  if (!file_exists(path))
    throw Error(ExitCode::usage,
                fmt::format("{} holds no run: there is no manifest.json in it", path.parent_path().string()));
  try {
    const Json json = Json::parse(read_text(path));
    const int schema = json.at("schema").get<int>();
    if (schema != Manifest::kSchema)
      throw Error(ExitCode::run_failed, fmt::format("{}: has schema {}, this version of repose reads {}",
                                                    path.string(), schema, Manifest::kSchema));
    return from_json(json);
  } catch (const Json::exception& error) {
    throw Error(ExitCode::run_failed, fmt::format("{}: is damaged; start the run anew with --force ({})",
                                                  path.string(), error.what()));
  }
}

}  // namespace repose
