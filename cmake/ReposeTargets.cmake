# How Repose's targets are built: one library a room (folder), one test program a room.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

find_program(REPOSE_CCACHE ccache)
if(REPOSE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${REPOSE_CCACHE})
endif()

include(GNUInstallDirs)
add_library(repose_flags INTERFACE)
install(TARGETS repose_flags EXPORT ReposeTargets)
target_include_directories(repose_flags INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>
  $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/generated> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_features(repose_flags INTERFACE $<INSTALL_INTERFACE:cxx_std_20>)
# No contraction: the code decides where an fma stands, so that tuned and portable builds agree (ARCHITECTURE.md).
# Programs over the installed library get this too, since they compile its inline functions again; warnings and tuning
# are for this tree alone.
target_compile_options(repose_flags INTERFACE $<BUILD_INTERFACE:-Wall> $<BUILD_INTERFACE:-Wextra>
  $<BUILD_INTERFACE:-Wpedantic> $<BUILD_INTERFACE:-Wshadow> $<BUILD_INTERFACE:-Wconversion> -ffp-contract=off)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # g++ 12 vectorises (double)(float)x of neighbouring struct members to a plain copy: the rounding is lost.
  target_compile_options(repose_flags INTERFACE -fno-tree-slp-vectorize)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  target_compile_options(repose_flags INTERFACE $<BUILD_INTERFACE:-Wno-sign-conversion>)  # g++ does not count it to -Wconversion
endif()
if(REPOSE_WERROR)
  target_compile_options(repose_flags INTERFACE $<BUILD_INTERFACE:-Werror>)
endif()
if(REPOSE_NATIVE)
  target_compile_options(repose_flags INTERFACE $<BUILD_INTERFACE:-march=native>)
endif()
if(REPOSE_SANITIZE)
  target_compile_options(repose_flags INTERFACE -fsanitize=${REPOSE_SANITIZE} -fno-omit-frame-pointer
                                                -fno-sanitize-recover=all)
  target_link_options(repose_flags INTERFACE -fsanitize=${REPOSE_SANITIZE})
endif()

# repose_room(NAME SOURCES a.cpp ... LINK repose_core ...): the library of one folder under src/repose/.
function(repose_room name)
  cmake_parse_arguments(ROOM "" "" "SOURCES;LINK;PRIVATE_LINK" ${ARGN})
  if(ROOM_SOURCES)
    add_library(repose_${name} STATIC ${ROOM_SOURCES})
    target_link_libraries(repose_${name} PUBLIC repose_flags ${ROOM_LINK} PRIVATE ${ROOM_PRIVATE_LINK})
  else()
    add_library(repose_${name} INTERFACE)
    target_link_libraries(repose_${name} INTERFACE repose_flags ${ROOM_LINK})
  endif()
  set_target_properties(repose_${name} PROPERTIES EXPORT_NAME ${name})
  set_property(GLOBAL APPEND PROPERTY REPOSE_ROOMS repose_${name})
  install(TARGETS repose_${name} EXPORT ReposeTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
endfunction()

# repose_openvdb_sources(a.cpp ...): files that include OpenVDB. The undefined-behaviour sanitizer takes four minutes
# and four gigabytes to compile one of them.
function(repose_openvdb_sources)
  if(REPOSE_SANITIZE MATCHES undefined)
    set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS "-O1;-fno-sanitize=undefined")
  endif()
endfunction()

# Sanitized programs are several times slower: so many times longer may a test take there.
set(REPOSE_TIMEOUT_FACTOR 1)
if(REPOSE_SANITIZE)
  set(REPOSE_TIMEOUT_FACTOR 15)
endif()

# repose_test(NAME SOURCES a.cpp ... LINK repose_core ... [LABEL l] [TIMEOUT s]): a GoogleTest program, each
# test known to ctest. Labels: unit (the default), validation, cli, and validate for what takes minutes or hours
# (`make test` leaves those to `make validate`).
function(repose_test name)
  cmake_parse_arguments(TEST "" "TIMEOUT;LABEL" "SOURCES;LINK" ${ARGN})
  if(NOT TEST_TIMEOUT)
    set(TEST_TIMEOUT 120)
  endif()
  math(EXPR TEST_TIMEOUT "${TEST_TIMEOUT} * ${REPOSE_TIMEOUT_FACTOR}")
  if(NOT TEST_LABEL)
    set(TEST_LABEL unit)
  endif()
  add_executable(${name} ${TEST_SOURCES})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(${name} PRIVATE repose_flags ${TEST_LINK} GTest::gtest_main)
  gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT ${TEST_TIMEOUT} LABELS ${TEST_LABEL})
endfunction()

# repose_script_test(NAME COMMAND program argument ... [LABEL l] [TIMEOUT s]): a program that exits with 0 when all is
# well. Scripts run under Debian's own Python, which another python3 on PATH may hide.
set(REPOSE_PYTHON /usr/bin/python3)
function(repose_script_test name)
  cmake_parse_arguments(TEST "" "TIMEOUT;LABEL" "COMMAND" ${ARGN})
  if(NOT TEST_TIMEOUT)
    set(TEST_TIMEOUT 120)
  endif()
  math(EXPR TEST_TIMEOUT "${TEST_TIMEOUT} * ${REPOSE_TIMEOUT_FACTOR}")
  if(NOT TEST_LABEL)
    set(TEST_LABEL unit)
  endif()
  add_test(NAME ${name} COMMAND ${TEST_COMMAND})
  set_tests_properties(${name} PROPERTIES TIMEOUT ${TEST_TIMEOUT} LABELS ${TEST_LABEL})
endfunction()

# repose_bench(NAME SOURCES a.cpp ... LINK repose_core ...): a program for `make bench`, which runs all that are named
# bench_* with --benchmark_out=FILE, as Google Benchmark takes it. It exits with an error where a gate does not hold.
function(repose_bench name)
  cmake_parse_arguments(BENCH "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} EXCLUDE_FROM_ALL ${BENCH_SOURCES})
  target_link_libraries(${name} PRIVATE repose_flags ${BENCH_LINK} benchmark::benchmark)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bench)
  add_dependencies(bench ${name})
endfunction()

# repose_fuzz(NAME SOURCES a.cpp ... LINK repose_core ...): a libFuzzer program for `make fuzz`, which runs all that
# are named *_fuzz.
function(repose_fuzz name)
  cmake_parse_arguments(FUZZ "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} EXCLUDE_FROM_ALL ${FUZZ_SOURCES})
  target_link_libraries(${name} PRIVATE repose_flags ${FUZZ_LINK})
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/fuzz)
  add_dependencies(fuzz ${name})
endfunction()
