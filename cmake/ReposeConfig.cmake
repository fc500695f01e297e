# What find_package(Repose) reads: the libraries that Repose links, then its own targets. Link Repose::Repose.

set(repose_module_path ${CMAKE_MODULE_PATH})
include(${CMAKE_CURRENT_LIST_DIR}/ReposeLibraries.cmake)
set(CMAKE_MODULE_PATH ${repose_module_path})
unset(repose_module_path)
include(${CMAKE_CURRENT_LIST_DIR}/ReposeTargets.cmake)
