#include "repose/pipeline/stages/refine_stage.h"

#include <utility>

#include "repose/core/error.h"
#include "repose/core/hash.h"
#include "repose/io/atomic_file.h"
#include "repose/io/particles/fine_file.h"

namespace repose {
namespace {

template <class V>
std::vector<float> components_of(const std::vector<V>& vectors) {
  std::vector<float> numbers;
  numbers.reserve(3 * vectors.size());
  for (const V& v : vectors)
    for (int axis = 0; axis < 3; ++axis) numbers.push_back(static_cast<float>(v[axis]));
  return numbers;
}

template <class V>
std::vector<V> vectors_of(const std::vector<float>& numbers) {
  std::vector<V> vectors(numbers.size() / 3);
  for (std::size_t i = 0; i < vectors.size(); ++i)
    vectors[i] = V(numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]);
  return vectors;
}

void save_frame(const Frame& frame, ArchiveWriter& out) {
  out.put("frame", frame.index);
  out.put("time", frame.time);
  out.put("kind", static_cast<std::uint8_t>(frame.kind));
  out.put("id", frame.id);
  // Positions of a frame as its file holds it are floats.
  out.put("position", components_of(frame.position));
  out.put("velocity", components_of(frame.velocity));
  out.put("radius", frame.radius);
  out.put("material", frame.material);
  std::vector<double> numbers;
  for (const BodyRow& body : frame.bodies) {
    const auto add = [&](const Vec3d& v) { numbers.insert(numbers.end(), {v.x, v.y, v.z}); };
    numbers.push_back(body.present ? 1 : 0);
    add(body.pose.position);
    numbers.push_back(body.pose.rotation.r);
    add(body.pose.rotation.v);
    add(body.velocity);
    add(body.angular_velocity);
  }
  out.put("bodies", numbers);
}

void load_frame(ArchiveReader& in, Frame& frame) {
  std::uint8_t kind = 0;
  std::vector<double> numbers;
  std::vector<float> position, velocity;
  in.get("frame", frame.index);
  in.get("time", frame.time);
  in.get("kind", kind);
  in.get("id", frame.id);
  in.get("position", position);
  in.get("velocity", velocity);
  in.get("radius", frame.radius);
  in.get("material", frame.material);
  in.get("bodies", numbers);
  constexpr std::size_t kByBody = 14;
  const std::size_t count = frame.id.size();
  if (kind > static_cast<std::uint8_t>(ParticleKind::fluid) || position.size() != 3 * count ||
      velocity.size() != 3 * count || frame.radius.size() != count || frame.material.size() != count ||
      numbers.size() % kByBody != 0)
    throw Error(ExitCode::run_failed, "the saved guides of the fine grains are damaged");
  frame.kind = static_cast<ParticleKind>(kind);
  frame.position = vectors_of<Vec3d>(position);
  frame.velocity = vectors_of<Vec3f>(velocity);
  frame.bodies.clear();
  for (std::size_t at = 0; at < numbers.size(); at += kByBody) {
    const double* n = &numbers[at];
    const auto vec = [](const double* v) { return Vec3d(v[0], v[1], v[2]); };
    BodyRow body;
    body.present = n[0] != 0;
    body.pose.position = vec(n + 1);
    body.pose.rotation = Quatd(n[4], n[5], n[6], n[7]);
    body.velocity = vec(n + 8);
    body.angular_velocity = vec(n + 11);
    frame.bodies.push_back(body);
  }
}

}  // namespace

RefineStage::RefineStage(const Scene& scene, std::filesystem::path folder, Threads& threads, GuidePart part)
    : scene_(scene),
      folder_(std::move(folder)),
      threads_(threads),
      part_(part),
      writer_threads_(threads.count()) {}

void RefineStage::advance(FrameProducts& products) {
  // The files of the frame before are made from grains that are about to move.
  writer_.wait();
  const Frame& frame = products.frame;
  if (!refiner_) {
    refiner_.emplace(scene_, frame.kind, part_);
    refiner_->start(frame, threads_);
  } else if (frame.index != last_.index) {
    refiner_->advance(last_, frame, threads_);
  }
  last_ = frame;
  products.fine = &refiner_->grains();
  create_folder(folder_);
  writer_.start([this] { write_files(); });
}

void RefineStage::write_files() {
  bytes_ += write_fine_files(folder_, scene_.output, refiner_->grains(), last_, part_, writer_threads_);
}

void RefineStage::save(ArchiveWriter& out) const {
  out.put("started", static_cast<std::uint8_t>(refiner_ ? 1 : 0));
  if (!refiner_) return;
  save_frame(last_, out);
  refiner_->save(out);
}

void RefineStage::load(ArchiveReader& in) {
  std::uint8_t started = 0;
  in.get("started", started);
  refiner_.reset();
  if (started == 0) return;
  load_frame(in, last_);
  refiner_.emplace(scene_, last_.kind, part_);
  refiner_->load(in);
}

void RefineStage::describe(Manifest& manifest) const {
  manifest.fine_grains = refiner_ ? refiner_->grains().size() : 0;
  manifest.fine_hash = refiner_ ? to_hex(hash_grains(refiner_->grains(), threads_)) : "";
}

}  // namespace repose
