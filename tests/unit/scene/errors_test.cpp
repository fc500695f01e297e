// Every kind of error with its exact message.

#include <ostream>
#include <string_view>

#include "scene_text.h"
#include <gtest/gtest.h>

namespace repose {
namespace {

struct BadScene {
  std::string_view name;
  std::string_view text;    ///< from line 6 on
  std::string_view errors;  ///< all of them
};
void PrintTo(const BadScene& bad, std::ostream* out) { *out << bad.name; }

class SceneErrors : public testing::TestWithParam<BadScene> {};

TEST_P(SceneErrors, AreToldExactly) { EXPECT_EQ(errors_of(GetParam().text), GetParam().errors); }

constexpr BadScene kValues[] = {
    {"UnknownKey", "[material.sand]\nfrction = 1",
     "s.toml:7:1: unknown key 'frction' in [material.sand]: did you mean 'friction'?"},
    {"UnknownKeyWithoutANearOne", "[scene]\nzzzzzz = 1", "s.toml:7:1: unknown key 'zzzzzz' in [scene]"},
    {"UnknownTable", "[materal.sand]", "s.toml:6:2: unknown table 'materal': did you mean 'material'?"},
    {"UnknownKeyAtTheTop", "[scene]\n[unrelated]", "s.toml:7:2: unknown table 'unrelated'"},
    {"ControlCharactersAreEscaped", "[scene]\n\"a\\u001b[31m\" = 1",
     "s.toml:7:1: unknown key 'a\\x1b[31m' in [scene]"},
    {"NumberExpected", "[scene]\nduration = \"2 s\"",
     "s.toml:7:12: 'duration' must be a number > 0 [s], not \"2 s\""},
    {"NumberOutOfRange", "[scene]\nduration = -1",
     "s.toml:7:12: 'duration' must be a number > 0 [s], not -1"},
    {"NotANumber", "[scene]\nduration = nan",
     "s.toml:7:12: 'duration' must be a number > 0 [s], not nan (numbers are finite and at most 1e+15 in "
     "size)"},
    {"Infinite", "[scene]\ngravity = [0, 0, -inf]",
     "s.toml:7:18: 'gravity' must be 3 numbers [m/s2]: -inf does not fit (numbers are finite and at most "
     "1e+15 in "
     "size)"},
    {"TooLarge", "[scene]\ngravity = [0, 0, 1e200]",
     "s.toml:7:18: 'gravity' must be 3 numbers [m/s2]: 1e+200 does not fit (numbers are finite and at most "
     "1e+15 in "
     "size)"},
    {"WholeNumberExpected", "[render]\nsamples = 1.5",
     "s.toml:7:11: 'samples' must be a whole number from 1 to 65536, not 1.5"},
    {"WholeNumberOutOfRange", "[output]\nevery = 0",
     "s.toml:7:9: 'every' must be a whole number from 1 to 1000000, not 0"},
    {"WholeNumberFarOutOfRange", "[output]\nevery = 9223372036854775807",
     "s.toml:7:9: 'every' must be a whole number from 1 to 1000000, not 9223372036854775807"},
    {"NegativeSeed", "[scene]\nseed = -1", "s.toml:7:8: 'seed' must be a whole number >= 0, not -1"},
    {"TrueOrFalseExpected", "[render]\nground = 1", "s.toml:7:10: 'ground' must be true or false, not 1"},
    {"TextExpected", "[scene]\ntitle = 1979-05-27", "s.toml:7:9: 'title' must be text, not a date"},
    {"ListOfThreeExpected", "[scene]\ngravity = [0, 0]",
     "s.toml:7:11: 'gravity' must be 3 numbers [m/s2], not a list of 2"},
    {"ListExpected", "[scene]\ngravity = 9.81", "s.toml:7:11: 'gravity' must be 3 numbers [m/s2], not 9.81"},
    {"TableExpected", "[solver.dem]\n[scene]\n[output]\nformats = { ply = true }",
     "s.toml:9:11: 'formats' must be a list of \"ply\", \"csv\", \"vtp\" or \"vdb\", not a table"},
    {"TableInsteadOfAValue", "[scene.duration]\nx = 1",
     "s.toml:6:1: 'duration' must be a number > 0 [s], not a table"},
    {"ValueInsteadOfATable", "[scene]\n[render]\ncamera = 3",
     "s.toml:8:10: 'render.camera' must be a table, not 3"},
    {"ArrayOfTables", "[[material]]\ndensity = 1",
     "s.toml:6:1: 'material' must hold tables [material.NAME], not a list of 1"},
    {"NamedTableIsAValue", "[material]\nsand = 3", "s.toml:7:8: 'material.sand' must be a table, not 3"},
    {"EmptyList", "[output]\nformats = []",
     "s.toml:7:11: 'formats' must be a list of \"ply\", \"csv\", \"vtp\" or \"vdb\", not an empty list"},
    {"RowOfAList", "[grain.g]\nspheres = [[0, 0, 0, 1], [0, 0, 1]]",
     "s.toml:7:26: 'spheres' must be a list of rows of 4 numbers: a list of 3 does not fit"},
    {"NumberOfARow", "[material.m]\nsizes = [[1, 1], [0, 1]]",
     "s.toml:7:19: 'sizes' must be a list of rows of 2 numbers > 0: 0 does not fit"},
    {"ChoiceExpected", "[material.m]\nkind = \"granulr\"",
     "s.toml:7:8: 'kind' must be \"granular\", \"fluid\" or \"snow\", not \"granulr\": did you mean "
     "'granular'?"},
    {"ChoiceIsNoText", "[material.m]\nkind = 1",
     "s.toml:7:8: 'kind' must be \"granular\", \"fluid\" or \"snow\", not 1"},
    {"PathExpected", "[grain.g]\nfile = \"\"",
     "s.toml:7:8: 'file' must be the path of a file, as text, not \"\""},
    {"TwoNamesExpected", "[material.m]\n[contact.c]\nbetween = [\"m\"]\nfriction = 1",
     "s.toml:8:11: 'between' must be a list of 2 names, not a list of 1"},
    {"NameExpected", "[material.m]\n[contact.c]\nbetween = [\"m\", 2]\nfriction = 1",
     "s.toml:8:17: 'between' must be a list of 2 names: 2 does not fit"},
    {"WrongVersion", "[scene]\nversion = 2", "s.toml:7:11: 'version' must be 1, not 2"},
    {"BadName", "[material.\"a b\"]",
     "s.toml:6:11: the name 'a b' in [material.NAME] must be 1 to 64 of the characters A-Z a-z 0-9 _ -"},
    {"BadNameWithADot", "[body.\"../x\"]\nshape = \"plane\"",
     "s.toml:6:7: the name '../x' in [body.NAME] must be 1 to 64 of the characters A-Z a-z 0-9 _ -"},
};
INSTANTIATE_TEST_SUITE_P(Values, SceneErrors, testing::ValuesIn(kValues),
                         [](const auto& test) { return std::string(test.param.name); });

constexpr BadScene kTables[] = {
    {"FaceUnknown", "friction = { default = 0.5, zz = 1 }",
     "s.toml:6:29: unknown face 'zz' in 'friction' of [domain]: did you mean 'z-'?"},
    {"FaceFriction", "friction = { \"z-\" = -1 }", "s.toml:6:21: 'z-' must be a number >= 0 or inf, not -1"},
    {"PeriodicOnOneSide", "x = [\"periodic\", \"wall\"]",
     "s.toml:6:5: 'x' must be \"periodic\" on both faces or on none"},
    {"FaceKind", "x = \"walls\"\ny = 1\nz = [\"wall\"]",
     "s.toml:6:5: 'x' must be \"wall\", \"open\" or \"periodic\", not \"walls\": did you mean 'wall'?\n"
     "s.toml:7:5: 'y' must be \"wall\", \"open\" or \"periodic\", or a pair of them, not 1\n"
     "s.toml:8:5: 'z' must be \"wall\", \"open\" or \"periodic\", or a pair of them, not a list of 1"},
    {"TooManyFrames", "[scene]\nduration = 1e5\nfps = 24",
     "s.toml:7:12: 100000 s at 24 frames a second are 2400000 frames; at most 1000000 are possible"},
    {"NoSuchPreset", "[material.m]\npreset = \"dry sandd\"",
     "s.toml:7:10: there is no preset 'dry sandd': did you mean 'dry sand'?"},
    {"BulkDenserThanGrains", "[material.m]\ndensity = 3000",
     "s.toml:7:11: 'density' (of the bulk, 3000 kg/m3) must not be more than 'grain_density' (2600 kg/m3)"},
    {"SnowKeyOfSand", "[material.m]\ndurability = 1",
     "s.toml:7:1: 'durability' in [material.m] belongs to kind = \"snow\""},
    {"NoSuchGrain", "[material.m]\ngrain = \"tetrahedon\"",
     "s.toml:7:9: there is no grain shape 'tetrahedon': did you mean 'tetrahedron'?"},
    {"GrainNeedsSpheres", "[grain.g]", "s.toml:6:1: [grain.g] needs one of 'spheres' or 'file'"},
    {"GrainWithBoth", "[grain.g]\nspheres = [[0, 0, 0, 1]]\nfile = \"nothing-here.txt\"",
     "s.toml:8:1: [grain.g] needs only one of 'spheres' or 'file'\n"
     "s.toml:8:8: 'nothing-here.txt': there is no such file"},
    {"GrainRadius", "[grain.g]\nspheres = [[0, 0, 0, -1]]",
     "s.toml:7:11: the radius of a sphere must be more than 0, not -1"},
    {"BuiltInGrainName", "[grain.rice]\nspheres = [[0, 0, 0, 1]]",
     "s.toml:6:1: 'rice' is the name of a built-in grain shape"},
    {"ContactSaysNothing", "[material.m]\n[contact.c]\nbetween = [\"m\", \"m\"]",
     "s.toml:7:1: [contact.c] needs 'friction', 'restitution' or 'cohesion'"},
    {"ContactWithNothing", "[material.sand]\n[contact.c]\nbetween = [\"sand\", \"snad\"]\nfriction = 1",
     "s.toml:8:20: there is no material or body 'snad': did you mean 'sand'?"},
    {"MaterialAndBodyShareAName", "[material.sand]\n[body.sand]\nshape = \"plane\"",
     "s.toml:7:1: a material is called 'sand' too; [contact.NAME] could not tell them apart"},
    {"FillNeedsMaterial", "[fill.f]\npoints = [[0, 0, 0]]", "s.toml:6:1: [fill.f] needs 'material', text"},
    {"FillOfNothing", "[material.sand]\n[fill.f]\nmaterial = \"snad\"\npoints = [[0, 0, 0]]",
     "s.toml:8:12: there is no material 'snad': did you mean 'sand'?"},
    {"FillNeedsOne", "[material.m]\n[fill.f]\nmaterial = \"m\"",
     "s.toml:7:1: [fill.f] needs one of 'shape', 'points' or 'file'"},
    {"FillWithTwo",
     "[material.m]\n[fill.f]\nmaterial = \"m\"\nshape = \"sphere\"\nradius = 1\npoints = [[0, 0, 0]]",
     "s.toml:11:1: [fill.f] needs only one of 'shape', 'points' or 'file'"},
    {"FillOfAPlane", "[material.m]\n[fill.f]\nmaterial = \"m\"\nshape = \"plane\"",
     "s.toml:9:9: a plane has no volume to fill"},
    {"ShapeKeyWithoutAShape",
     "[material.m]\n[fill.f]\nmaterial = \"m\"\npoints = [[0, 0, 0]]\nscale = 2\npacking = "
     "\"lattice\"",
     "s.toml:10:1: 'scale' in [fill.f] belongs to a table with a 'shape'\n"
     "s.toml:11:1: 'packing' in [fill.f] belongs to a fill with a 'shape'"},
    {"FillFileMissing", "[material.m]\n[fill.f]\nmaterial = \"m\"\nfile = \"nothing-here.csv\"",
     "s.toml:9:8: 'nothing-here.csv': there is no such file"},
    {"EmitterNeeds", "[emitter.e]",
     "s.toml:6:1: [emitter.e] needs 'material', text\n"
     "s.toml:6:1: [emitter.e] needs 'shape', \"box\", \"sphere\", \"cylinder\", \"cone\", \"capsule\", "
     "\"torus\", "
     "\"plane\", \"lathe\", \"heightfield\" or \"mesh\"\n"
     "s.toml:6:1: [emitter.e] needs 'rate', a number > 0 [kg/s]"},
    {"EmitterStopsBeforeItStarts",
     "[material.m]\n[emitter.e]\nmaterial = \"m\"\nshape = \"sphere\"\nradius = 1\n"
     "rate = 1\nstart = 2\nstop = 1",
     "s.toml:13:8: 'stop' must be at or after 'start' (2 s), not 1"},
    {"EmitterFadesForEver",
     "[material.m]\n[emitter.e]\nmaterial = \"m\"\nshape = \"sphere\"\nradius = 1\n"
     "rate = 1\nfade = 2",
     "s.toml:12:8: 'fade' is time before 'stop': give that too"},
    {"EmitterFadesBeforeItStarts",
     "[material.m]\n[emitter.e]\nmaterial = \"m\"\nshape = \"sphere\"\nradius = 1\n"
     "rate = 1\nstart = 2\nstop = 4\nfade = 3",
     "s.toml:14:8: 'fade' must be at most the 2 s from 'start' to 'stop', not 3"},
    {"EmitterOfNothing", "[emitter.e]\nmaterial = \"m\"\nshape = \"sphere\"\nradius = 1\nrate = 1",
     "s.toml:7:12: there is no material 'm'"},
    {"SinkStopsBeforeItStarts", "[sink.s]\nshape = \"plane\"\nstart = 2\nstop = 1",
     "s.toml:9:8: 'stop' must be at or after 'start' (2 s), not 1"},
    {"BoxNeedsSize", "[body.b]\nshape = \"box\"", "s.toml:6:1: [body.b] needs 'size', 3 numbers > 0 [m]"},
    {"BoxHasNoRadius", "[body.b]\nshape = \"box\"\nsize = [1, 1, 1]\nradius = 1",
     "s.toml:9:1: 'radius' in [body.b] belongs to shape = \"sphere\", \"cylinder\", \"cone\", \"capsule\" or "
     "\"torus\""},
    {"TorusNeedsTube", "[body.b]\nshape = \"torus\"\nradius = 1",
     "s.toml:6:1: [body.b] needs 'tube', a number > 0 [m]"},
    {"UnknownShapeHidesNothingElse", "[body.b]\nshape = \"bx\"\nsize = [1, 1, 1]\nfrction = 1",
     "s.toml:7:9: 'shape' must be \"box\", \"sphere\", \"cylinder\", \"cone\", \"capsule\", \"torus\", "
     "\"plane\", "
     "\"lathe\", \"heightfield\" or \"mesh\", not \"bx\": did you mean 'box'?\n"
     "s.toml:9:1: unknown key 'frction' in [body.b]: did you mean 'friction'?"},
    {"LatheOfOnePoint", "[body.b]\nshape = \"lathe\"\nprofile = [[1, 1]]",
     "s.toml:8:11: 'profile' must have at least 2 points, not 1"},
    {"MeshThatIsNotThere", "[body.b]\nshape = \"mesh\"\nfile = \"a.obj\"",
     "s.toml:8:8: 'a.obj': there is no such file"},
    {"MeshOfAnotherFormat", "[body.b]\nshape = \"mesh\"\nfile = \"a.dae\"",
     "s.toml:8:8: 'a.dae': a file that ends in '.dae' is not read as a mesh: .obj, .ply, .stl, .glb, .gltf "
     "and .fbx are"},
    {"MeshWithoutAFile", "[body.b]\nshape = \"mesh\"\nsize = [1, 1, 1]",
     "s.toml:6:1: [body.b] needs 'file', the path of a file, as text\n"
     "s.toml:8:1: 'size' in [body.b] belongs to shape = \"box\""},
    {"FillWithAMeshWithoutAFile", "[material.m]\n[fill.f]\nmaterial = \"m\"\nshape = \"mesh\"",
     "s.toml:7:1: [fill.f] needs 'file', the path of a file, as text"},
    {"HeightfieldThatIsNotThere", "[body.b]\nshape = \"heightfield\"\nfile = \"a.asc\"\nextent = [1, 0]",
     "s.toml:8:8: 'a.asc': there is no such file\n"
     "s.toml:9:14: 'extent' must be 2 numbers > 0 [m]: 0 does not fit"},
    {"LatheAcrossItsAxis", "[body.b]\nshape = \"lathe\"\nprofile = [[1, 1], [-1, 2]]",
     "s.toml:8:11: 'profile' must keep to r >= 0: -1 does not fit"},
    {"KeyframesOfAStaticBody", "[body.b]\nshape = \"plane\"\nkeyframes = [{ t = 0 }]",
     "s.toml:8:1: 'keyframes' in [body.b] belongs to motion = \"keyframed\""},
    {"KeyframesMissing", "[body.b]\nshape = \"plane\"\nmotion = \"keyframed\"",
     "s.toml:6:1: [body.b] needs one of 'keyframes' or 'keyframes_file'"},
    {"KeyframesOutOfOrder",
     "[body.b]\nshape = \"plane\"\nmotion = \"keyframed\"\nkeyframes = [{ t = 1 }, { t = 1 }]",
     "s.toml:9:13: keyframes must be in the order of their times: t = 1 follows t = 1"},
    {"KeyframeItems",
     "[body.b]\nshape = \"plane\"\nmotion = \"keyframed\"\nkeyframes = [{ positon = [0, 0, 0] }, 3]",
     "s.toml:9:14: an item of 'keyframes' needs 't'\n"
     "s.toml:9:16: unknown key 'positon' in an item of 'keyframes': did you mean 'position'?\n"
     "s.toml:9:39: 'keyframes' must be a list of tables { t [s], position [m], rotation [deg] }: 3 does not "
     "fit"},
    {"KeyframesFileMissing",
     "[body.b]\nshape = \"plane\"\nmotion = \"keyframed\"\nkeyframes_file = \"nothing.csv\"",
     "s.toml:9:18: 'nothing.csv': there is no such file"},
    {"OddImage", "[render]\nsize = [641, 360]",
     "s.toml:7:8: 'size' must be even, since films need it: not 641 x 360"},
    {"HugeImage", "[render]\nsize = [640, 20000]",
     "s.toml:7:14: 'size' must be 2 whole numbers from 2 to 16384 [pixel]: 20000 does not fit"},
    {"SunNowhere", "[render]\nsun = [0, 0, 0]", "s.toml:7:7: 'sun' must not be [0, 0, 0]"},
    {"RangeTheWrongWayRound", "[render]\ncolor_by = \"speed\"\nrange = [1, 0]",
     "s.toml:8:9: 'range' must be a lower and then a higher number"},
    {"CameraAtItsTarget", "[render]\ncamera = { position = [1, 1, 1], target = [1, 1, 1] }",
     "s.toml:7:10: 'position' and 'target' of the camera must differ"},
    {"CameraKeyframesOutOfOrder",
     "[render.camera]\nkeyframes = [{ t = 1, position = [1, 0, 0], target = [0, 0, 0] },\n"
     "             { t = 0, position = [0, 1, 0], target = [0, 0, 0] }]",
     "s.toml:6:1: keyframes of the camera must be in the order of their times: t = 0 follows t = 1"},
    {"ClipNowhere", "[render]\nclip = [0, 0, 0, 1]",
     "s.toml:7:8: 'clip' needs a normal other than [0, 0, 0]"},
    {"SubtableKey", "[render.camera]\npositon = [0, 0, 0]",
     "s.toml:7:1: unknown key 'positon' in [render.camera]: did you mean 'position'?"},
};
INSTANTIATE_TEST_SUITE_P(Tables, SceneErrors, testing::ValuesIn(kTables),
                         [](const auto& test) { return std::string(test.param.name); });

constexpr BadScene kPlanned[] = {
    {"KeyOfATable", "[material.m]\n[contact.c]\nbetween = [\"m\", \"m\"]\ncohesion = 5\nfriction = -1",
     "s.toml:9:1: 'cohesion' is not available yet in repose VERSION (planned)\n"
     "s.toml:10:12: 'friction' must be a number >= 0 or inf, not -1"},
};
INSTANTIATE_TEST_SUITE_P(Planned, SceneErrors, testing::ValuesIn(kPlanned),
                         [](const auto& test) { return std::string(test.param.name); });

constexpr BadScene kBodies[] = {
    {"JointOfNobody",
     "[joint.j]\nbodies = [\"a\", \"b\"]\ntype = \"hinge\"\nposition = [0, 0, 0]\naxis = [0, 0, 0]",
     "s.toml:7:11: there is no body 'a'\n"
     "s.toml:7:16: there is no body 'b'\n"
     "s.toml:10:8: 'axis' must not be [0, 0, 0]"},
    {"JointOfStaticBodies",
     "[body.b]\nshape = \"sphere\"\nradius = 1\n"
     "[joint.j]\nbodies = [\"world\", \"b\"]\ntype = \"ball\"\nposition = [0, 0, 0]",
     "s.toml:10:10: one of the two bodies of a joint must be dynamic: there is nothing to hold"},
    {"JointOfOneBody",
     "[body.b]\nshape = \"sphere\"\nradius = 1\nmotion = \"dynamic\"\nmass = 1\n"
     "[joint.j]\nbodies = [\"b\", \"b\"]\ntype = \"ball\"\nposition = [0, 0, 0]",
     "s.toml:12:10: a joint needs two different bodies"},
    {"JointOfManyCopies",
     "[body.b]\nshape = \"sphere\"\nradius = 1\nmotion = \"dynamic\"\nmass = 1\ncopies = [2, 1, 1]\n"
     "[joint.j]\nbodies = [\"b\", \"b.2\"]\ntype = \"ball\"\nposition = [0, 0, 0]",
     "s.toml:13:11: 'b' stands for several bodies: name one of them, as 'b.0'\n"
     "s.toml:13:16: there is no body 'b.2'"},
    {"AxisOfABall",
     "[body.b]\nshape = \"sphere\"\nradius = 1\nmotion = \"dynamic\"\nmass = 1\n"
     "[joint.j]\nbodies = [\"b\", \"world\"]\ntype = \"ball\"\nposition = [0, 0, 0]\naxis = [0, 1, 0]",
     "s.toml:15:1: 'axis' in [joint.j] belongs to type = \"hinge\""},
    {"BodyMassAndDensity",
     "[body.b]\nshape = \"sphere\"\nradius = 1\nmotion = \"dynamic\"\ndensity = 1\nmass = 1",
     "s.toml:11:1: [body.b] needs only one of 'density' or 'mass'"},
    {"BodyWithoutMass", "[body.b]\nshape = \"sphere\"\nradius = 1\nmotion = \"dynamic\"",
     "s.toml:6:1: [body.b] needs one of 'density' or 'mass'"},
    {"MassOfAStaticBody", "[body.b]\nshape = \"sphere\"\nradius = 1\nmass = 1",
     "s.toml:9:1: 'mass' in [body.b] belongs to motion = \"dynamic\""},
    {"PivotOfADynamicBody",
     "[body.b]\nshape = \"sphere\"\nradius = 1\nmotion = \"dynamic\"\nmass = 1\npivot = [0, 0, 0]",
     "s.toml:11:1: 'pivot' in [body.b] belongs to motion = \"moving\""},
    {"DynamicPlane", "[body.b]\nshape = \"plane\"\nmotion = \"dynamic\"\nmass = 1",
     "s.toml:8:10: a dynamic body needs a solid of its own: planes and inverted shapes have no end"},
    {"CopiesAndPositions",
     "[body.b]\nshape = \"sphere\"\nradius = 1\ncopies = [2, 1, 1]\npositions = [[0, 0, 0]]",
     "s.toml:10:13: [body.b] needs only one of 'copies' with 'step', or 'positions'"},
    {"TooManyCopies", "[body.b]\nshape = \"sphere\"\nradius = 1\ncopies = [1000, 1000, 1]",
     "s.toml:9:10: 'copies' make 1000000 bodies; at most 20000 are possible"},
    {"BodyCalledWorld", "[body.world]\nshape = \"sphere\"\nradius = 1",
     "s.toml:6:1: a body must not be called 'world': joints mean the world itself by it"},
};
INSTANTIATE_TEST_SUITE_P(Bodies, SceneErrors, testing::ValuesIn(kBodies),
                         [](const auto& test) { return std::string(test.param.name); });

constexpr BadScene kProbes[] = {
    {"ForceOfNothing",
     "[probe.p]\ntype = \"force\"\nbody = [\"domain.z-\", \"domain.z+\"]\nstart = 2\nstop = 1",
     "s.toml:8:22: there is no body or wall 'domain.z+': did you mean 'domain.z-'?\n"
     "s.toml:10:8: 'stop' must be at or after 'start' (2 s), not 1"},
    {"ForceOfAShape", "[probe.p]\ntype = \"force\"\nshape = \"plane\"",
     "s.toml:6:1: [probe.p] needs 'body'\n"
     "s.toml:8:1: 'shape' in [probe.p] belongs to other types: a force is that on a 'body'"},
    {"FlowIntoABody", "[probe.p]\ntype = \"flow\"\nbody = \"domain.z-\"",
     "s.toml:6:1: [probe.p] needs 'shape'\n"
     "s.toml:8:1: 'body' in [probe.p] belongs to type = \"force\""},
    {"TooManyRows", "[probe.p]\ntype = \"flow\"\nshape = \"plane\"\ninterval = 1e-9",
     "s.toml:9:12: an interval of 1e-09 s gives 1e+09 rows until t = 1 s; at most 10000000 are possible: "
     "make "
     "it longer, or 0 for a row each step"},
    {"EndlessRegion", "[probe.p]\ntype = \"region\"\nshape = \"plane\"",
     "s.toml:8:9: a region must have bounds: a plane has none"},
    {"AxisOfAFlow", "[probe.p]\ntype = \"flow\"\nshape = \"plane\"\nalong = \"x\"",
     "s.toml:9:1: 'along' in [probe.p] belongs to type = \"pile\" or \"slope\""},
    {"Names", "[probe.p]\ntype = \"force\"\nbody = [\"domain.z-\", 3]",
     "s.toml:8:22: 'body' must be a name or a list of names: 3 does not fit"},
    {"CheckOfNothing", "[check.c]\nprobe = \"p\"\nat = 1\nover = [0, 1]",
     "s.toml:6:1: [check.c] needs 'column', text\n"
     "s.toml:6:1: [check.c] needs 'min' or 'max'\n"
     "s.toml:7:9: there is no probe 'p'\n"
     "s.toml:9:8: [check.c] needs only one of 'at' or 'over'"},
    {"CheckOfNoColumn",
     "[probe.p]\ntype = \"flow\"\nshape = \"plane\"\n[check.c]\nprobe = \"p\"\ncolumn = \"rat\"\nmin = 0",
     "s.toml:11:10: there is no column 'rat' in the table of probe 'p': did you mean 'rate'?"},
    {"CheckBounds", "[check.c]\nstat = \"mass\"\ncolumn = \"mass\"\nmin = 2\nmax = 1\nover = [1, 1]",
     "s.toml:8:10: 'column' in [check.c] belongs to a check of a probe\n"
     "s.toml:10:7: 'max' must be at least 'min' (2), not 1\n"
     "s.toml:11:8: 'over' must be an earlier and then a later time"},
};
INSTANTIATE_TEST_SUITE_P(Probes, SceneErrors, testing::ValuesIn(kProbes),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(SceneErrorList, IsInTheOrderOfTheFile) {
  EXPECT_EQ(
      errors_of_text("[render]\nsamples = 0\n[scene]\nfps = 0\n[material.b]\nyoung = 0\n[body.c]\nshape = 1\n"
                     "[material.a]\nyoung = 0\n"),
      "s.toml:1:1: [domain] needs 'min', 3 numbers [m]\n"
      "s.toml:1:1: [domain] needs 'max', 3 numbers [m]\n"
      "s.toml:1:1: [solver] needs 'spacing', a number > 0 [m]\n"
      "s.toml:2:11: 'samples' must be a whole number from 1 to 65536, not 0\n"
      "s.toml:4:7: 'fps' must be a number > 0 and at most 1000000 [1/s], not 0\n"
      "s.toml:6:9: 'young' must be a number > 0 [Pa], not 0\n"
      "s.toml:8:9: 'shape' must be \"box\", \"sphere\", \"cylinder\", \"cone\", \"capsule\", \"torus\", "
      "\"plane\", \"lathe\", \"heightfield\" or \"mesh\", not 1\n"
      "s.toml:10:9: 'young' must be a number > 0 [Pa], not 0");
}

TEST(SceneErrorList, TellsWhatADomainNeeds) {
  EXPECT_EQ(errors_of_text("[solver]\nspacing = 1\n[domain]\nx = \"wall\"\n"),
            "s.toml:3:1: [domain] needs 'min', 3 numbers [m]\n"
            "s.toml:3:1: [domain] needs 'max', 3 numbers [m]");
  EXPECT_EQ(errors_of_text("[solver]\nspacing = 1\n[domain]\nmin = [0, 1, 0]\nmax = [1, 1, 1]\n"),
            "s.toml:5:7: 'max' must be more than 'min' along each axis: min y is 1, max y is 1");
}

TEST(SceneErrorList, StopsAtAThousand) {
  std::string text = "[scene]\n";
  for (int i = 0; i < 1200; ++i) text += "zzzzzzzzz" + std::to_string(i) + " = 1\n";
  EXPECT_TRUE(errors_of(text).ends_with("\nand 200 more errors"));
}

TEST(SceneErrorList, LimitsTheNumberOfMaterials) {
  std::string text;
  for (int i = 0; i < 255; ++i) text += "[material.m" + std::to_string(i) + "]\n";
  EXPECT_EQ(errors_of(text), "");
  EXPECT_EQ(errors_of(text + "[material.x]\n"),
            "s.toml:6:1: 256 tables [material.NAME]; at most 255 are possible");
}

}  // namespace
}  // namespace repose
