# Defines sharpzero-static: the program that runs on any Linux, as it needs no shared library. It has the object files
# of `sharpzero`, but two: web_server.cpp, whose HTTP library is a header here (Debian's needs OpenSSL), and
# without_postgres.cpp. What Debian has as shared libraries only is compiled from Debian's sources, which
# scripts/release.sh puts into SHARPZERO_LIBRARY_SOURCES.
set(from ${SHARPZERO_LIBRARY_SOURCES})
set(toml ${CMAKE_CURRENT_BINARY_DIR}/toml.cpp)  # its headers hold all of it
file(CONFIGURE OUTPUT ${toml} CONTENT "#define TOML_IMPLEMENTATION\n#include <toml++/toml.h>\n")
add_library(static_libraries STATIC EXCLUDE_FROM_ALL ${from}/fmtlib/src/format.cc ${toml}
            ${from}/spdlog/src/spdlog.cpp ${from}/spdlog/src/color_sinks.cpp ${from}/spdlog/src/async.cpp)
set_target_properties(static_libraries PROPERTIES UNITY_BUILD OFF)
target_compile_definitions(static_libraries PRIVATE SPDLOG_COMPILED_LIB SPDLOG_FMT_EXTERNAL TOML_HEADER_ONLY=0)
target_compile_options(static_libraries PRIVATE -w)
target_link_libraries(static_libraries PRIVATE sharpzero_options)

set(parts app studies training arena book selfplay nn engine mcts tactics tablebase rules base static_libraries)
list(TRANSFORM parts REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE archives)
foreach(library SQLiteCpp sqlite3 zstd)
  find_library(static_${library} lib${library}.a REQUIRED)
  list(APPEND archives ${static_${library}})
endforeach()

add_executable(sharpzero-static EXCLUDE_FROM_ALL main.cpp web/web_server.cpp $<TARGET_OBJECTS:app_light>
               $<TARGET_OBJECTS:nn_light> $<TARGET_OBJECTS:without_postgres>)
target_include_directories(sharpzero-static SYSTEM BEFORE PRIVATE ${from}/cpp-httplib)
target_link_libraries(sharpzero-static PRIVATE sharpzero_options -Wl,--start-group ${archives} -Wl,--end-group)
target_link_options(sharpzero-static PRIVATE -static-pie)
add_dependencies(sharpzero-static ${parts})
set_target_properties(sharpzero-static PROPERTIES LINK_DEPENDS "${archives}")
