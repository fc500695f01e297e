# `cmake --install build --prefix DIR`: the command, the libraries, their headers, the examples, and what
# find_package(Repose) reads. Programs link Repose::Repose, which is all rooms, or single ones (Repose::render).

include(CMakePackageConfigHelpers)

add_library(repose_whole INTERFACE)
target_link_libraries(repose_whole INTERFACE repose_pipeline)
set_target_properties(repose_whole PROPERTIES EXPORT_NAME Repose)
install(TARGETS repose_whole EXPORT ReposeTargets)

# Whoever has built the command can install all of it, rooms that it does not use yet as well.
get_property(rooms GLOBAL PROPERTY REPOSE_ROOMS)
add_dependencies(repose ${rooms})
install(TARGETS repose RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/src/repose ${PROJECT_BINARY_DIR}/generated/repose
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples/ DESTINATION ${CMAKE_INSTALL_DATADIR}/repose/examples)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/Repose)
install(EXPORT ReposeTargets NAMESPACE Repose:: DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/ReposeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_SOURCE_DIR}/cmake/ReposeConfig.cmake ${PROJECT_SOURCE_DIR}/cmake/ReposeLibraries.cmake
              ${PROJECT_BINARY_DIR}/ReposeConfigVersion.cmake
        DESTINATION ${package_folder})

# Shell completion, printed by the command itself.
foreach(entry bash:bash-completion/completions/repose zsh:zsh/site-functions/_repose
              fish:fish/vendor_completions.d/repose.fish)
  string(REPLACE ":" ";" entry ${entry})
  list(GET entry 0 shell)
  list(GET entry 1 file)
  set(script ${PROJECT_BINARY_DIR}/completion/${file})
  get_filename_component(script_folder ${script} DIRECTORY)
  get_filename_component(file_folder ${file} DIRECTORY)
  install(CODE "file(MAKE_DIRECTORY \"${script_folder}\")
execute_process(COMMAND \"$<TARGET_FILE:repose>\" completion ${shell} OUTPUT_FILE \"${script}\" COMMAND_ERROR_IS_FATAL ANY)")
  install(FILES ${script} DESTINATION ${CMAKE_INSTALL_DATADIR}/${file_folder})
endforeach()
