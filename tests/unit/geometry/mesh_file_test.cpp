#include "repose/geometry/mesh/mesh_file.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>

#include "mesh_cases.h"
#include <assimp/Exporter.hpp>
#include <assimp/Importer.hpp>
#include <assimp/scene.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "repose/core/archive.h"
#include "repose/core/error.h"

namespace repose {
namespace {

template <class T>
void append_bytes(std::string& bytes, T value, bool big_endian = false) {
  char buffer[sizeof(T)];
  std::memcpy(buffer, &value, sizeof(T));
  if (big_endian) std::reverse(buffer, buffer + sizeof(T));
  bytes.append(buffer, sizeof(T));
}

std::string error_of(const std::function<void()>& read) {
  try {
    read();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_scene);
    return error.what();
  }
  return {};
}
std::string obj_error(const std::string& text) {
  return error_of([&] { parse_obj(text); });
}
std::string ply_error(const std::string& text) {
  return error_of([&] { parse_ply_mesh(text); });
}
std::string stl_error(const std::string& text) {
  return error_of([&] { parse_stl(text); });
}

/// The tetrahedron that the formats below hold.
const std::vector<Vec3d> kCorners{{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}};
const std::vector<Triangle> kFaces{{0, 2, 1}, {0, 3, 2}, {0, 1, 3}, {1, 2, 3}};

void expect_tetrahedron(const MeshData& mesh) {
  EXPECT_EQ(mesh.triangles.size(), 4U);
  const MeshSolid solid(mesh);
  EXPECT_TRUE(solid.is_closed());
  EXPECT_FALSE(solid.topology().facts.was_inside_out);
  EXPECT_NEAR(solid.moments().one, 1, 1e-6);
  EXPECT_LT((solid.bounds().max - Vec3d(1, 2, 3)).length(), 1e-6);
}

TEST(ReadObj, TakesFacesInAllTheirForms) {
  expect_tetrahedron(
      parse_obj("# a tetrahedron\r\nmtllib x.mtl\no thing\nv 0 0 0\nv 1 0 0 1.0\nv +0 2e0 .0\nv 0 0 3\n"
                "vn 0 0 1\nvt 0 0\ns off\nf 1 3 2\nf 1/1 4/1 3/1 # with a comment\n"
                "f 1//1 2//1 4//1\nf -3/1/1\\\n-2/1/1 -1/1/1\n"));
}

TEST(ReadObj, CutsPolygons) {
  // A square with a notch, wound either way, in a plane across any axis: its area is 0.75.
  const std::vector<Vec2d> outline{{0, 0}, {1, 0}, {1, 1}, {0.5, 0.5}, {0, 1}};
  for (int axis = 0; axis < 3; ++axis)
    for (const bool backwards : {false, true}) {
      std::string text;
      for (const Vec2d& p : outline) {
        Vec3d q(0);
        q[(axis + 1) % 3] = p.x;
        q[(axis + 2) % 3] = p.y;
        text += fmt::format("v {} {} {}\n", q.x, q.y, q.z);
      }
      text += backwards ? "f 5 4 3 2 1\n" : "f 1 2 3 4 5\n";
      const MeshData mesh = parse_obj(text);
      ASSERT_EQ(mesh.triangles.size(), 3U);
      double sum = 0;
      for (const Triangle& t : mesh.triangles) {
        const Vec3d &a = mesh.positions[t[0]], &b = mesh.positions[t[1]], &c = mesh.positions[t[2]];
        const double area = 0.5 * (b - a).cross(c - a)[axis];
        EXPECT_GT(backwards ? -area : area, 0) << "no triangle lies outside of the polygon";
        sum += area;
      }
      EXPECT_NEAR(std::abs(sum), 0.75, 1e-6);
    }
}

TEST(ReadObj, CutsLargePolygonsInBoundedTime) {
  std::string text, convex = "f", star = "f";
  constexpr int n = 20000;
  for (int i = 0; i < n; ++i) {
    const double a = 2 * kPi * i / n, r = i % 2 == 0 ? 1.0 : 0.4;
    text += fmt::format("v {} {} 0\n", r * std::cos(a), r * std::sin(a));
    star += fmt::format(" {}", i + 1);
    if (i % 2 == 0) convex += fmt::format(" {}", i + 1);
  }
  EXPECT_EQ(parse_obj(text + convex + "\n" + star + "\n").triangles.size(), n / 2 - 2 + n - 2U);
}

TEST(ReadObj, SaysWhatIsWrong) {
  EXPECT_EQ(obj_error(""), "there are no triangles in it");
  EXPECT_EQ(obj_error("v 0 0 0\nv 1 0\n"), "line 2: a vertex needs three coordinates");
  EXPECT_EQ(obj_error("v 0 0 nan\n"), "line 1: 'nan' is not a finite number");
  EXPECT_EQ(obj_error("v 0 0 1e400\n"), "line 1: '1e400' is not a finite number");
  EXPECT_EQ(obj_error("v 0 0 1e16\n"), "line 1: a coordinate is beyond 1e15");
  EXPECT_EQ(obj_error("v 0 0 0\nf 1 2 3\n"), "line 2: a face names vertex 2, but 1 vertices stand before it");
  EXPECT_EQ(obj_error("v 0 0 0\nf 1 1 -2\n"),
            "line 2: a face names vertex -2, but 1 vertices stand before it");
  EXPECT_EQ(obj_error("v 0 0 0\nf 1 0 1\n"), "line 2: '0' is not the corner of a face");
  EXPECT_EQ(obj_error("v 0 0 0\nf 1 a 1\n"), "line 2: 'a' is not the corner of a face");
  EXPECT_EQ(obj_error("v 0 0 0\nf 1 99999999999999999999 1\n"),
            "line 2: '99999999999999999999' is not the corner of a face");
  EXPECT_EQ(obj_error("v 0 0 0\nf 1 1\n"), "line 2: a face of 2 corners; it needs 3");
}

std::string ply_header(const std::string& format, int vertices, int faces) {
  return fmt::format(
      "ply\nformat {} 1.0\ncomment c\nelement vertex {}\nproperty uchar red\nproperty float x\nproperty "
      "double "
      "y\nproperty float z\nelement face {}\nproperty list uchar int vertex_indices\nproperty uchar flags\n"
      "end_header\n",
      format, vertices, faces);
}

std::string binary_ply(bool big_endian) {
  std::string bytes = ply_header(big_endian ? "binary_big_endian" : "binary_little_endian", 4, 4);
  for (const Vec3d& p : kCorners) {
    append_bytes(bytes, std::uint8_t{9});
    append_bytes(bytes, static_cast<float>(p.x), big_endian);
    append_bytes(bytes, p.y, big_endian);
    append_bytes(bytes, static_cast<float>(p.z), big_endian);
  }
  for (const Triangle& t : kFaces) {
    append_bytes(bytes, std::uint8_t{3});
    for (const std::uint32_t v : t) append_bytes(bytes, static_cast<std::int32_t>(v), big_endian);
    append_bytes(bytes, std::uint8_t{1});
  }
  return bytes;
}

TEST(ReadPlyMesh, TakesTextAndBothByteOrders) {
  expect_tetrahedron(parse_ply_mesh(ply_header("ascii", 4, 4) +
                                    "9 0 0 0\n9 1 0 0\n9 0 2 0\n9 0 0 3\n3 0 2 1 0\n3 0 3 2 0\n3 0 1 3 "
                                    "0\n3 1 2 3 0\n"));
  expect_tetrahedron(parse_ply_mesh(binary_ply(false)));
  expect_tetrahedron(parse_ply_mesh(binary_ply(true)));
}

TEST(ReadPlyMesh, SaysWhatIsWrong) {
  EXPECT_EQ(ply_error("solid"), "it does not begin with a line 'ply'");
  EXPECT_EQ(ply_error("ply\nformat ascii 1.0\nelement vertex 0\nproperty float x\nend_header\n"),
            "the vertices have no x, y and z");
  EXPECT_EQ(ply_error("ply\nformat ascii 1.0\nelement face 0\nproperty float x\nend_header\n"),
            "the faces have no list 'vertex_indices'");
  EXPECT_EQ(ply_error(ply_header("ascii", 1, 0) + "9 0 0 0\n"), "there are no triangles in it");
  EXPECT_EQ(ply_error(ply_header("ascii", 1, 1) + "9 0 0 inf\n3 0 0 0 0\n"),
            "line 13: 'inf' is not a finite number");
  EXPECT_EQ(ply_error(ply_header("ascii", 1, 1) + "9 0 0 0\n3 0 0 7 0\n"),
            "line 14: face 0 names vertex 7, but there are 1 vertices, counted from 0");
  EXPECT_EQ(ply_error(ply_header("ascii", 1, 1) + "9 0 0 0\n3 0 0 -1 0\n"),
            "line 14: face 0 names vertex -1, but there are 1 vertices, counted from 0");
  EXPECT_EQ(ply_error(ply_header("ascii", 1, 1) + "9 0 0 0\n4000000000 0 0 0\n"),
            "line 14: a list of 4000000000 items does not fit into this line");
  EXPECT_EQ(ply_error(ply_header("ascii", 1, 1) + "9 0 0 0 8\n3 0 0 0 0\n"),
            "line 13: more values than the header says for 'vertex'");
  EXPECT_EQ(ply_error(ply_header("ascii", 1, 1) + "9 0 0\n3 0 0 0 0\n"),
            "line 13: fewer values than the header says for 'vertex'");
  EXPECT_EQ(ply_error(ply_header("binary_little_endian", 1000000000, 1) + "1234"),
            "the file ends before its 1000000000 rows of 'vertex' do");
}

TEST(ReadPlyMesh, NoTruncationGetsThrough) {
  for (const bool big_endian : {false, true}) {
    const std::string whole = binary_ply(big_endian);
    for (std::size_t n = 0; n < whole.size(); ++n)
      EXPECT_NE(ply_error(whole.substr(0, n)), "") << n << " of " << whole.size() << " bytes";
  }
}

std::string binary_stl(std::uint32_t claimed) {
  std::string bytes = "solid made by a program that writes this into binary files";
  bytes.resize(80, ' ');
  append_bytes(bytes, claimed);
  for (const Triangle& t : kFaces) {
    for (int i = 0; i < 3; ++i) append_bytes(bytes, 0.0F);
    for (const std::uint32_t v : t)
      for (int i = 0; i < 3; ++i) append_bytes(bytes, static_cast<float>(kCorners[v][i]));
    append_bytes(bytes, std::uint16_t{0});
  }
  return bytes;
}

std::string text_stl() {
  std::string text = "solid thing\n";
  for (const Triangle& t : kFaces) {
    text += "  facet normal 0 0 0\n    outer loop\n";
    for (const std::uint32_t v : t)
      text += fmt::format("      VERTEX {} {} {}\n", kCorners[v].x, kCorners[v].y, kCorners[v].z);
    text += "    endloop\n  endfacet\n";
  }
  return text + "endsolid thing\n";
}

/// A strip of triangles over a square, then the same again after an end.
std::string strip_ply(const std::string& list) {
  return "ply\nformat ascii 1.0\nelement vertex 5\nproperty float x\nproperty float y\nproperty float z\n"
         "element tristrips 1\nproperty list int int vertex_indices\nend_header\n"
         "0 0 0\n0 1 0\n1 0 0\n1 1 0\n2 0 0\n" +
         list + "\n";
}

TEST(ReadPly, TakesStripsOfTriangles) {
  const MeshData mesh = parse_ply_mesh(strip_ply("9 0 1 2 3 4 -1 2 3 4"));
  EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 2}, {2, 1, 3}, {2, 3, 4}, {2, 3, 4}}));
  // All of a strip face the same way.
  for (const Triangle& t : mesh.triangles) {
    const auto at = [&](std::size_t c) { return mesh.positions[t[c]]; };
    EXPECT_LT((at(1) - at(0)).cross(at(2) - at(0)).z, 0);
  }
  EXPECT_EQ(parse_ply_mesh(strip_ply("7 0 1 2 2 2 3 4")).triangles.size(), 2U) << "a repeated vertex";
  EXPECT_NE(error_of([] {
              parse_ply_mesh(strip_ply("3 0 1 5"));
            }).find("triangle strip 0 names vertex 5, but there are 5 vertices"),
            std::string::npos);
  EXPECT_NE(error_of([] { parse_ply_mesh(strip_ply("3 0 1 -2")); }).find("names vertex -2"),
            std::string::npos);
}

TEST(ReadStl, TakesTextAndBinary) {
  expect_tetrahedron(parse_stl(text_stl()));
  expect_tetrahedron(parse_stl(binary_stl(4)));
}

TEST(ReadStl, SaysWhatIsWrong) {
  EXPECT_EQ(stl_error(""), "there are no triangles in it");
  EXPECT_EQ(stl_error(binary_stl(4'000'000'000U)),
            "the header claims 4000000000 triangles, but the file has 284 bytes: room for 4");
  EXPECT_EQ(stl_error("solid\nfacet\nvertex 0 0\n"), "line 3: a vertex needs three coordinates");
  EXPECT_EQ(stl_error("solid\nfacet\nvertex 0 0 x\n"), "line 3: 'x' is not a finite number");
  EXPECT_EQ(stl_error("solid\nfacet\nvertex 0 0 0\nendloop\n"), "line 4: a facet of 1 vertices; it needs 3");
  EXPECT_EQ(stl_error("solid\nfacet\nvertex 0 0 0\n"), "the file ends within a facet");
  EXPECT_EQ(stl_error("solid\nfacet\nhello\n"), "line 3: this line does not belong into an STL file");
  std::string bytes = binary_stl(4);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  std::memcpy(bytes.data() + 84 + 50 + 12, &nan, 4);
  EXPECT_EQ(stl_error(bytes), "triangle 1 (byte 146) has a coordinate that is not a number up to 1e15");
}

std::string base64(const std::string& bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 3; ++k)
      word = word << 8U | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k)
      out += i + k > bytes.size() ? '=' : kDigits[word >> (18 - 6 * k) & 63U];
  }
  return out;
}

/// The tetrahedron with y up: (x, y, z) is written as (x, z, -y).
std::string gltf_text() {
  std::string buffer;
  for (const Triangle& t : kFaces)
    for (const std::uint32_t v : t) append_bytes(buffer, static_cast<std::uint16_t>(v));
  for (const Vec3d& p : kCorners)
    for (const double x : {p.x, p.z, -p.y}) append_bytes(buffer, static_cast<float>(x));
  return R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],)"
         R"("meshes":[{"primitives":[{"attributes":{"POSITION":1},"indices":0}]}],)"
         R"("accessors":[{"bufferView":0,"componentType":5123,"count":12,"type":"SCALAR"},)"
         R"({"bufferView":1,"componentType":5126,"count":4,"type":"VEC3","min":[0,0,-2],"max":[1,3,0]}],)"
         R"("bufferViews":[{"buffer":0,"byteOffset":0,"byteLength":24},)"
         R"({"buffer":0,"byteOffset":24,"byteLength":48}],"buffers":[{"byteLength":72,"uri":)"
         R"("data:application/octet-stream;base64,)" +
         base64(buffer) + "\"}]}";
}

TEST(ReadWithAssimp, TakesGltfAndTurnsItUpright) {
  expect_tetrahedron(parse_with_assimp(gltf_text(), "gltf"));
}

TEST(ReadWithAssimp, TakesFbxAndTurnsItUpright) {
  // Written by Assimp itself, for want of another program that writes FBX (as text: it cannot read
  // the binary form that it writes).
  Assimp::Importer importer;
  const std::string text = gltf_text();
  const aiScene* scene = importer.ReadFileFromMemory(text.data(), text.size(), 0, "gltf");
  ASSERT_NE(scene, nullptr);
  Assimp::Exporter exporter;
  const auto path = std::filesystem::path(testing::TempDir()) / "repose_tetrahedron.fbx";
  ASSERT_EQ(exporter.Export(scene, "fbxa", path.string()), aiReturn_SUCCESS) << exporter.GetErrorString();
  MeshData mesh = read_mesh_file(path.string());
  for (Vec3d& p : mesh.positions) p *= 100.0;  // it says centimetres
  expect_tetrahedron(mesh);
  std::filesystem::remove(path);
}

TEST(ReadWithAssimp, SaysWhatIsWrong) {
  EXPECT_NE(error_of([] { parse_with_assimp("{}", "gltf"); }).find("Assimp cannot read it"),
            std::string::npos);
  std::string elsewhere = gltf_text();
  const auto at = elsewhere.find("data:");
  elsewhere.replace(at, elsewhere.find('"', at) - at, "buffer.bin");
  EXPECT_NE(error_of([&] {
              parse_with_assimp(elsewhere, "gltf");
            }).find("it refers to another file, 'buffer.bin', and no other is opened"),
            std::string::npos);
}

TEST(ReadWithAssimp, OpensNoOtherFile) {
  // The buffer of a glTF in a file of its own, named in all ways there are.
  std::string text = gltf_text();
  const auto at = text.find("data:"), end = text.find('"', at);
  const std::string encoded = text.substr(at, end - at);
  const auto folder = std::filesystem::path(testing::TempDir()) / "repose_gltf_buffer";
  std::filesystem::create_directories(folder / "sub");
  std::ofstream(folder / "secret.bin", std::ios::binary) << std::string(72, '\0');
  for (const std::string& uri :
       {std::string("secret.bin"), (folder / "secret.bin").string(), std::string("../secret.bin"),
        "file://" + (folder / "secret.bin").string()}) {
    std::string changed = text;
    changed.replace(at, end - at, uri);
    const auto path = folder / "sub" / "mesh.gltf";
    std::ofstream(path, std::ios::binary) << changed;
    EXPECT_NE(error_of([&] { read_mesh_file(path.string()); }).find("it refers to another file"),
              std::string::npos)
        << uri;
  }
  std::filesystem::remove_all(folder);
}

TEST(ReadWithAssimp, ACrashOfTheReaderIsAnError) {
  const auto refused = [](const std::string& bytes, const std::string& extension) {
    return error_of([&] { parse_with_assimp(bytes, extension); }).starts_with("Assimp cannot read it: ");
  };
  const std::string deep(1'000'000, '[');
  EXPECT_TRUE(refused(deep, "gltf"));
  EXPECT_TRUE(refused(R"({"asset":{"version":"2.0"},"extras":)" + deep, "gltf"));
  std::string glb = "glTF";
  append_bytes(glb, std::uint32_t{2});
  append_bytes(glb, static_cast<std::uint32_t>(20 + deep.size()));
  append_bytes(glb, static_cast<std::uint32_t>(deep.size()));
  EXPECT_TRUE(refused(glb + "JSON" + deep, "glb"));
  std::string blocks = "; FBX 7.3.0 project file\n";
  for (int i = 0; i < 200'000; ++i) blocks += "A: {\n";
  EXPECT_TRUE(refused(blocks, "fbx"));
  // A chain of nodes, each the child of the one before: no bracket is deep, but the tree is.
  std::string chain = R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[)";
  for (int i = 0; i < 300'000; ++i) chain += fmt::format(R"({{"children":[{}]}},)", i + 1);
  EXPECT_NE(error_of([&] { parse_with_assimp(chain + "{}]}", "gltf"); }), "");
}

/// A tetrahedron of 1 x 2 x 3 units, as text: FBX as programs write it, but for what is not needed.
std::string fbx_text(const std::string& settings) {
  return "; FBX 7.3.0 project file\nFBXHeaderExtension:  {\n\tFBXHeaderVersion: 1003\n\tFBXVersion: 7300\n}\n"
         "GlobalSettings:  {\n\tVersion: 1000\n\tProperties70:  {\n" +
         settings +
         "\t}\n}\nObjects:  {\n\tGeometry: 10, \"Geometry::t\", \"Mesh\" {\n\t\tVertices: *12 {\n\t\t\ta: "
         "0,0,0,1,0,0,0,2,0,0,0,3\n\t\t}\n\t\tPolygonVertexIndex: *12 {\n\t\t\ta: "
         "0,2,-2,0,1,-4,1,2,-4,2,0,-4\n\t\t}\n\t\tGeometryVersion: 124\n\t}\n"
         "\tModel: 11, \"Model::t\", \"Mesh\" {\n\t\tVersion: 232\n\t\tProperties70:  {\n\t\t}\n\t}\n}\n"
         "Connections:  {\n\tC: \"OO\",11,0\n\tC: \"OO\",10,11\n}\n";
}

Vec3d size_of_mesh(const MeshData& mesh) {
  Box3d box;
  for (const Vec3d& p : mesh.positions) box.extendBy(p);
  return box.size();
}

TEST(ReadWithAssimp, FbxSaysItsUnitAndWhatIsUp) {
  const auto number = [](const char* name, double value) {
    return fmt::format("\t\tP: \"{}\", \"double\", \"Number\", \"\",{}\n", name, value);
  };
  const auto axis = [](const char* name, int value) {
    return fmt::format("\t\tP: \"{}\", \"int\", \"Integer\", \"\",{}\n", name, value);
  };
  const std::string y_up = axis("UpAxis", 1) + axis("UpAxisSign", 1) + axis("FrontAxis", 2) +
                           axis("FrontAxisSign", 1) + axis("CoordAxis", 0) + axis("CoordAxisSign", 1);
  const std::string z_up = axis("UpAxis", 2) + axis("UpAxisSign", 1) + axis("FrontAxis", 1) +
                           axis("FrontAxisSign", -1) + axis("CoordAxis", 0) + axis("CoordAxisSign", 1);
  const auto expect_size = [](const MeshData& mesh, const Vec3d& expected) {
    EXPECT_LT((size_of_mesh(mesh) - expected).length(), 1e-6 * expected.length()) << size_of_mesh(mesh);
    EXPECT_TRUE(mesh.states_unit);
  };
  // Centimetres with y up are what FBX means where it says nothing.
  expect_size(parse_with_assimp(fbx_text(""), "fbx"), 0.01 * Vec3d(1, 3, 2));
  expect_size(parse_with_assimp(fbx_text(y_up + number("UnitScaleFactor", 1)), "fbx"), 0.01 * Vec3d(1, 3, 2));
  expect_size(parse_with_assimp(fbx_text(y_up + number("UnitScaleFactor", 100)), "fbx"), Vec3d(1, 3, 2));
  expect_size(parse_with_assimp(fbx_text(y_up + number("UnitScaleFactor", 0.1)), "fbx"),
              0.001 * Vec3d(1, 3, 2));
  expect_size(parse_with_assimp(fbx_text(z_up + number("UnitScaleFactor", 100)), "fbx"), Vec3d(1, 2, 3));
}

TEST(ReadWithAssimp, WhatTheReaderAnswersIsChecked) {
  const auto answer = [](const std::vector<double>& numbers, const std::vector<Triangle>& triangles) {
    ArchiveWriter out;
    out.put("problem", std::string());
    out.put("positions", numbers);
    out.put("triangles", triangles);
    return std::string(reinterpret_cast<const char*>(out.bytes().data()), out.bytes().size());
  };
  const std::vector<double> corners{0, 0, 0, 1, 0, 0, 0, 1, 0};
  EXPECT_EQ(mesh_from_child(answer(corners, {{0, 1, 2}})).positions.size(), 3U);
  EXPECT_EQ(error_of([&] {
              mesh_from_child(answer(corners, {{0, 1, 3}}));
            }),
            "face 0 names vertex 3, but there are 3");
  EXPECT_EQ(error_of([&] {
              mesh_from_child(answer({0, NAN, 0}, {{0, 0, 0}}));
            }),
            "vertex 0 has a coordinate that is not a number up to 1e15");
  EXPECT_EQ(error_of([&] { mesh_from_child(answer(corners, {})); }), "there are no triangles in it");
  EXPECT_EQ(error_of([&] { mesh_from_child("nonsense"); }),
            "Assimp cannot read it: what it answered is no mesh");
}

TEST(ReadMeshFile, GoesByTheEndingOfTheName) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "repose_mesh_file";
  std::filesystem::create_directories(folder);
  const auto write = [&](const std::string& name, const std::string& bytes) {
    std::ofstream(folder / name, std::ios::binary) << bytes;
    return (folder / name).string();
  };
  expect_tetrahedron(read_mesh_file(write("a.STL", binary_stl(4))));
  expect_tetrahedron(read_mesh_file(write("a.ply", binary_ply(true))));
  expect_tetrahedron(read_mesh_file(write("a.gltf", gltf_text())));
  EXPECT_EQ(error_of([&] { read_mesh_file(write("a.dae", "")); }),
            "a file that ends in '.dae' is not read as a mesh: .obj, .ply, .stl, .glb, .gltf and .fbx are");
  EXPECT_EQ(error_of([&] { read_mesh_file((folder / "none.obj").string()); }), "there is no such file");
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace repose
