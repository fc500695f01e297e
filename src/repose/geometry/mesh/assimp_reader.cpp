// glTF and FBX through Assimp. The only file that knows Assimp.
//
// Assimp can be made to crash by a file: by brackets a million deep, by a tree of nodes as deep or going in a
// circle, by counts that do not fit. So it works in a child process (core/child_process.h), and what comes
// back is checked as a file would be. It sees one file and no other, whatever a glTF names.

#include <algorithm>
#include <cmath>
#include <cstring>

#include <assimp/IOStream.hpp>
#include <assimp/IOSystem.hpp>
#include <assimp/Importer.hpp>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <fmt/format.h>

#include "repose/core/archive.h"
#include "repose/core/child_process.h"
#include "repose/core/error.h"
#include "repose/geometry/mesh/mesh_file.h"

namespace repose {
namespace {

constexpr double kCentimetre = 0.01;  ///< [m]
constexpr double kFarthest = 1e15;

[[noreturn]] void fail(const std::string& message) { throw Error(ExitCode::bad_scene, message); }

/// Text of a file for a message.
std::string plain_text(std::string text, std::size_t most) {
  text.resize(std::min(text.size(), most));
  for (char& c : text)
    if (c < ' ' || c == '\x7f') c = '?';
  return text;
}

/// The bytes of the one file there is.
class BytesStream : public Assimp::IOStream {
 public:
  explicit BytesStream(std::string_view bytes) : bytes_(bytes) {}
  std::size_t Read(void* to, std::size_t size, std::size_t count) override {
    if (size == 0) return 0;
    const std::size_t items = std::min(count, (bytes_.size() - at_) / size);
    std::memcpy(to, bytes_.data() + at_, items * size);
    at_ += items * size;
    return items;
  }
  std::size_t Write(const void*, std::size_t, std::size_t) override { return 0; }
  aiReturn Seek(std::size_t offset, aiOrigin origin) override {
    const std::size_t from = origin == aiOrigin_SET ? 0 : origin == aiOrigin_CUR ? at_ : bytes_.size();
    if (offset > bytes_.size() - from) return aiReturn_FAILURE;
    at_ = from + offset;
    return aiReturn_SUCCESS;
  }
  std::size_t Tell() const override { return at_; }
  std::size_t FileSize() const override { return bytes_.size(); }
  void Flush() override {}

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
};

/// A disk with one file on it. What else is asked for is remembered.
class OneFile : public Assimp::IOSystem {
 public:
  OneFile(std::string name, std::string_view bytes, std::string& refused)
      : name_(std::move(name)), bytes_(bytes), refused_(refused) {}
  bool Exists(const char* file) const override { return file == name_; }
  char getOsSeparator() const override { return '/'; }
  Assimp::IOStream* Open(const char* file, const char* mode) override {
    if (file == name_ && std::strchr(mode, 'w') == nullptr) return new BytesStream(bytes_);
    if (refused_.empty()) refused_ = file;
    return nullptr;
  }
  void Close(Assimp::IOStream* file) override { delete file; }

 private:
  std::string name_;
  std::string_view bytes_;
  std::string& refused_;
};

/// From the axes and the unit of a file to z up and metres. As it is: y up, and metres.
struct FileFrame {
  Vec3d right{1, 0, 0}, front{0, 0, 1}, up{0, 1, 0};  ///< front: towards the viewer
  double unit = 1;                                    ///< [m]

  Vec3d turned(const Vec3d& p) const { return unit * Vec3d(right.dot(p), -front.dot(p), up.dot(p)); }
};

double number_in(const aiMetadata& data, const char* name, double otherwise) {
  float narrow = 0;
  double number = 0;
  if (data.Get(name, number)) return number;
  return data.Get(name, narrow) ? static_cast<double>(narrow) : otherwise;
}

/// An axis of FBX: which it is, 0 to 2, and its sign, in two entries.
Vec3d axis_in(const aiMetadata& data, const std::string& name, const Vec3d& otherwise) {
  std::int32_t axis = -1, sign = 1;
  if (!data.Get(name, axis) || axis < 0 || axis > 2) return otherwise;
  data.Get(name + "Sign", sign);
  Vec3d unit(0);
  unit[axis] = sign < 0 ? -1 : 1;
  return unit;
}

/// glTF has one frame. FBX says its own, and means centimetres with y up where it does not.
FileFrame frame_of(const aiScene& scene, const std::string& extension) {
  FileFrame frame;
  if (extension != "fbx") return frame;
  frame.unit = kCentimetre;
  if (scene.mMetaData == nullptr) return frame;
  const double scale = number_in(*scene.mMetaData, "UnitScaleFactor", 1);  // [cm]
  if (scale > 0 && std::isfinite(scale)) frame.unit = kCentimetre * scale;
  FileFrame own = frame;
  own.right = axis_in(*scene.mMetaData, "CoordAxis", frame.right);
  own.front = axis_in(*scene.mMetaData, "FrontAxis", frame.front);
  own.up = axis_in(*scene.mMetaData, "UpAxis", frame.up);
  const bool are_three = std::abs(own.right.dot(own.front.cross(own.up))) == 1;
  return are_three ? own : frame;
}

/// Adds what one mesh of the file holds.
void add_mesh(const aiMesh& from, const FileFrame& frame, MeshData& mesh) {
  const auto first = static_cast<std::uint32_t>(mesh.positions.size());
  for (unsigned i = 0; i < from.mNumVertices; ++i) {
    const aiVector3D& v = from.mVertices[i];
    mesh.positions.push_back(frame.turned(Vec3d(v.x, v.y, v.z)));
  }
  for (unsigned i = 0; i < from.mNumFaces; ++i) {
    const aiFace& face = from.mFaces[i];
    if (face.mNumIndices != 3) continue;
    mesh.triangles.push_back({first + face.mIndices[0], first + face.mIndices[1], first + face.mIndices[2]});
  }
}

MeshData import(std::string_view bytes, const std::string& extension) {
  const std::string name = "mesh." + extension;
  std::string refused;
  Assimp::Importer importer;
  importer.SetIOHandler(new OneFile(name, bytes, refused));  // the importer deletes it
  importer.SetPropertyInteger(AI_CONFIG_PP_SBP_REMOVE, aiPrimitiveType_POINT | aiPrimitiveType_LINE);
  // PreTransformVertices puts every copy of a mesh where the file's nodes place it.
  const aiScene* scene = importer.ReadFile(name, aiProcess_Triangulate | aiProcess_JoinIdenticalVertices |
                                                     aiProcess_PreTransformVertices | aiProcess_SortByPType);
  if (!refused.empty())
    fail(
        fmt::format("it refers to another file, '{}', and no other is opened: save it as .glb, or with its "
                    "buffers in it",
                    plain_text(refused, 100)));
  if (scene == nullptr)
    fail(fmt::format("Assimp cannot read it: {}", plain_text(importer.GetErrorString(), 200)));
  MeshData mesh;
  const FileFrame frame = frame_of(*scene, extension);
  for (unsigned i = 0; i < scene->mNumMeshes; ++i) add_mesh(*scene->mMeshes[i], frame, mesh);
  return mesh;
}

/// What a child process answers: an error's text, or the mesh.
std::string import_as_bytes(std::string_view bytes, const std::string& extension) {
  ArchiveWriter out;
  std::string problem;
  MeshData mesh;
  try {
    mesh = import(bytes, extension);
  } catch (const Error& error) {
    problem = error.what();
  }
  std::vector<double> numbers;
  for (const Vec3d& p : mesh.positions) numbers.insert(numbers.end(), {p.x, p.y, p.z});
  out.put("problem", problem);
  out.put("positions", numbers);
  out.put("triangles", mesh.triangles);
  return {reinterpret_cast<const char*>(out.bytes().data()), out.bytes().size()};
}

}  // namespace

MeshData mesh_from_child(std::string_view bytes) {
  std::string problem;
  std::vector<double> numbers;
  MeshData mesh;
  ArchiveReader in(std::as_bytes(std::span(bytes)));
  try {
    in.get("problem", problem);
    in.get("positions", numbers);
    in.get("triangles", mesh.triangles);
  } catch (const Error&) {
    fail("Assimp cannot read it: what it answered is no mesh");
  }
  if (!problem.empty()) fail(problem);
  for (std::size_t i = 0; i + 2 < numbers.size(); i += 3)
    mesh.positions.emplace_back(numbers[i], numbers[i + 1], numbers[i + 2]);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (!(std::abs(numbers[i]) <= kFarthest))
      fail(fmt::format("vertex {} has a coordinate that is not a number up to 1e15", i / 3));
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    for (const std::uint32_t v : mesh.triangles[t])
      if (v >= mesh.positions.size())
        fail(fmt::format("face {} names vertex {}, but there are {}", t, v, mesh.positions.size()));
  if (mesh.triangles.empty()) fail("there are no triangles in it");
  mesh.states_unit = true;
  return mesh;
}

MeshData parse_with_assimp(std::string_view bytes, const std::string& extension) {
  const ChildAnswer answer = run_in_child([&] { return import_as_bytes(bytes, extension); });
  if (!answer.bytes)
    fail(fmt::format(
        "Assimp cannot read it: {}. The file is damaged or made to do harm; what is good in it may "
        "be saved as .ply by a modelling program",
        answer.failure));
  return mesh_from_child(*answer.bytes);
}

}  // namespace repose
