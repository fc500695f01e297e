#!/usr/bin/python3
"""The layer check finds what it should, and nothing else."""

import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "tools"))
import check_layers  # noqa: E402


def findings(path, *lines):
    return check_layers.check_texts({path: "\n".join(lines) + "\n"})


class Rooms(unittest.TestCase):
    def test_own_room_and_rooms_above_are_fine(self):
        self.assertEqual([], findings("src/repose/scene/reader.cpp", '#include "repose/scene/scene.h"',
                                      '#include "repose/core/error.h"', '#include "repose/geometry/shape.h"'))

    def test_a_room_below_is_found_with_its_line(self):
        found = findings("src/repose/math/vec.h", "#pragma once", '#  include "repose/scene/scene.h"')
        self.assertEqual(1, len(found))
        self.assertTrue(found[0].startswith("src/repose/math/vec.h:2: "), found)

    def test_stages_after_the_solver_see_no_solver(self):
        for room in ("refine", "surface", "measure", "render"):
            path = f"src/repose/{room}/stage.cpp"
            self.assertEqual(1, len(findings(path, '#include "repose/solvers/solver.h"')), room)
            self.assertEqual([], findings(path, '#include "repose/particles/frame.h"'), room)

    def test_every_pair_of_rooms(self):
        for low, room in enumerate(check_layers.ROOMS):
            for high, target in enumerate(check_layers.ROOMS):
                bad = high > low or (room in ("refine", "surface", "measure", "render") and target == "solvers")
                found = findings(f"src/repose/{room}/a.cpp", f'#include "repose/{target}/b.h"')
                self.assertEqual(bad, bool(found), f"{room} includes {target}")

    def test_apps_and_tests_see_everything(self):
        for path in ("apps/repose/run.cpp", "tests/unit/core/a_test.cpp", "bench/neighbors.cpp"):
            self.assertEqual([], findings(path, '#include "repose/pipeline/run/run.h"'))

    def test_unknown_rooms_are_found(self):
        self.assertEqual(1, len(findings("src/repose/utils/a.h", "#pragma once")))
        self.assertEqual(1, len(findings("apps/repose/a.cpp", '#include "repose/utils/a.h"')))

    def test_paths_start_at_the_root(self):
        self.assertEqual(1, len(findings("src/repose/core/text.cpp", '#include "text.h"')))

    def test_comments_are_no_includes(self):
        self.assertEqual([], findings("src/repose/core/a.h", '// #include "repose/pipeline/run/run.h"'))


class Libraries(unittest.TestCase):
    def test_each_library_has_its_place(self):
        places = {
            "tbb/parallel_for.h": "src/repose/exec/threads_tbb.cpp",
            "embree3/rtcore.h": "src/repose/render/a.cpp",
            "toml++/toml.h": "src/repose/scene/a.cpp",
            "CLI/CLI.hpp": "apps/repose/a.cpp",
            "nlohmann/json.hpp": "src/repose/io/a.cpp",
            "png.h": "src/repose/io/a.cpp",
            "thread": "src/repose/exec/a.cpp",
            "atomic": "src/repose/exec/a.h",
        }
        for header, place in places.items():
            self.assertEqual([], findings(place, f"#include <{header}>"), header)
            self.assertEqual(1, len(findings("src/repose/physics/a.h", f"#include <{header}>")), header)

    def test_json_and_toml_stay_out_of_headers(self):
        self.assertEqual(1, len(findings("src/repose/io/a.h", "#include <nlohmann/json.hpp>")))
        self.assertEqual(1, len(findings("src/repose/scene/a.h", "#include <toml++/toml.h>")))

    def test_names_that_only_begin_alike_are_fine(self):
        self.assertEqual([], findings("src/repose/physics/a.h", "#include <threads.h>", "#include <futures>"))

    def test_an_atomic_is_no_licence_for_threads(self):
        self.assertEqual([], findings("src/repose/pipeline/run/run.h", "#include <atomic>"))
        self.assertEqual(1, len(findings("src/repose/pipeline/run/run.h", "#include <mutex>")))
        self.assertEqual(1, len(findings("src/repose/pipeline/run/run.cpp", "#include <atomic>")))

    def test_openmp_is_found(self):
        self.assertEqual(1, len(findings("src/repose/exec/a.cpp", "#pragma omp parallel for")))

    def test_one_file_knows_embree(self):
        line = "#include <embree3/rtcore.h>\n"
        one = {"src/repose/render/a.cpp": line, "bench/render.cpp": line}
        self.assertEqual([], check_layers.check_texts(one))
        self.assertEqual(1, len(check_layers.check_texts(one | {"src/repose/render/b.cpp": line})))


class Length(unittest.TestCase):
    def test_no_two_headers_name_a_type_alike(self):
        ray, dem = "struct Sphere {\n};\n", "struct alignas(64) Sphere : SphereMotion {\n};\n"
        found = check_layers.check_texts({"src/repose/render/a.h": ray, "src/repose/solvers/dem/b.h": dem})
        self.assertEqual(1, len(found), found)
        self.assertTrue(found[0].startswith("src/repose/solvers/dem/b.h:1: src/repose/render/a.h "), found)
        # Sources have their own, and a name may be announced anywhere.
        self.assertEqual([], check_layers.check_texts({"src/repose/render/a.h": ray, "src/repose/render/a.cpp": ray,
                                                       "src/repose/solvers/b.h": "struct Sphere;\n"}))

    def test_the_longest_file_has_600_lines(self):
        self.assertEqual([], findings("src/repose/core/a.h", *["x"] * 600))
        self.assertEqual(1, len(findings("src/repose/core/a.h", *["x"] * 601)))


if __name__ == "__main__":
    unittest.main()
