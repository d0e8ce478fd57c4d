# add_cpu_levels(TARGET SOURCE LEVEL...): compiles the source into the target once for each of these levels of
# base/cpu_level.h that the machine's kind has, in a namespace SHARPZERO_LEVEL of its own. Such a source must not share inline functions with others: the linker keeps one
# copy of each, and it might be one that an older processor cannot run. So it includes C headers alone, and what it
# defines lies in that namespace.
set(cpu_levels baseline)
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
  list(APPEND cpu_levels avx2 avx_vnni avx512 avx512_vnni)
  set(flags_of_baseline -march=x86-64-v2)  # as all other sources
  set(flags_of_avx2 -march=x86-64-v3)
  set(flags_of_avx_vnni -march=x86-64-v3 -mavxvnni)
  set(flags_of_avx512 -march=x86-64-v4)
  set(flags_of_avx512_vnni -march=x86-64-v4 -mavx512vnni)
endif()

function(add_cpu_levels target source)
  foreach(level ${ARGN})
    if(NOT level IN_LIST cpu_levels)
      continue()
    endif()
    add_library(${target}_${level} OBJECT ${source})
    target_link_libraries(${target}_${level} PRIVATE sharpzero_options)
    set_target_properties(${target}_${level} PROPERTIES SHARPZERO_LEVEL ON UNITY_BUILD OFF)
    target_compile_definitions(${target}_${level} PRIVATE SHARPZERO_LEVEL=${level})
    target_compile_options(${target}_${level} PRIVATE ${flags_of_${level}})
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}_${level}>)
  endforeach()
endfunction()
