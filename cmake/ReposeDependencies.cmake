# What Repose is built with, all from Debian's packages (tools/setup.sh lists them). Nothing is downloaded here.

include(ReposeLibraries)
find_package(tomlplusplus CONFIG REQUIRED)
find_package(CLI11 CONFIG REQUIRED)
if(REPOSE_TESTS)
  find_package(GTest REQUIRED)
  include(GoogleTest)
endif()
if(REPOSE_BENCH)
  find_package(benchmark REQUIRED)
endif()
