# What Repose's libraries link. The build reads this file, and so does the installed ReposeConfig.cmake: whoever links
# Repose links these too.

find_package(Threads REQUIRED)
# With the word CONFIG, and before OpenVDB: its folder of modules holds others of these names.
find_package(TBB CONFIG REQUIRED)
# Debian's Imath has a page-long notice about a Python module that nobody asked for.
set(CMAKE_MESSAGE_LOG_LEVEL WARNING)
find_package(Imath CONFIG REQUIRED)
unset(CMAKE_MESSAGE_LOG_LEVEL)
find_package(OpenEXR CONFIG REQUIRED)
find_package(fmt CONFIG REQUIRED)
find_package(nlohmann_json CONFIG REQUIRED)
find_package(PNG REQUIRED)
find_package(assimp CONFIG REQUIRED)
find_package(embree 3 CONFIG QUIET)
if(NOT embree_FOUND)
  message(FATAL_ERROR "Embree 3 was not found. On Debian 12: apt-get install libembree-dev. Embree 4, which newer "
                      "systems carry, has another interface and is not supported yet.")
endif()
# OpenVDB brings a find module instead of a config. It speaks of what it finds at length.
list(APPEND CMAKE_MODULE_PATH /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/cmake/OpenVDB)
set(CMAKE_MESSAGE_LOG_LEVEL WARNING)
find_package(OpenVDB REQUIRED)
unset(CMAKE_MESSAGE_LOG_LEVEL)
