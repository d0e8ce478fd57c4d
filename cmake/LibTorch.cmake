# Finds one LibTorch and says where: Debian's package or the folder of a Python wheel, in the same
# way. (The wheels' own TorchConfig.cmake asks for a CUDA compiler, which nothing here needs; and
# with both installed it links a mixture.)
#
# Included, it defines the target sharpzero_torch. Run by `cmake -P`, it prints the folder found, or
# nothing. Looked at in this order:
#   SHARPZERO_TORCH (a folder with include/ and lib/), CMAKE_PREFIX_PATH, a python3 that has torch,
#   the system.

# Sets `folder` in the caller to `path` where a LibTorch lies there, or in the folder above a
# .../share/cmake that Python printed.
macro(sharpzero_try_torch path)
  if(NOT folder)
    foreach(candidate "${path}" "${path}/../..")
      file(GLOB found "${candidate}/lib/libtorch_cpu.so" "${candidate}/lib/*/libtorch_cpu.so")
      if(found AND EXISTS "${candidate}/include/torch/csrc/api/include/torch/torch.h")
        get_filename_component(folder "${candidate}" ABSOLUTE)
        break()
      endif()
    endforeach()
  endif()
endmacro()

function(sharpzero_find_torch result)
  set(folder "")
  if(SHARPZERO_TORCH)
    sharpzero_try_torch("${SHARPZERO_TORCH}")
    if(NOT folder)
      message(FATAL_ERROR "SHARPZERO_TORCH is ${SHARPZERO_TORCH}: expected a folder with "
                          "include/torch and lib/libtorch_cpu.so")
    endif()
  endif()
  string(REPLACE ":" ";" prefixes "$ENV{CMAKE_PREFIX_PATH}")
  foreach(prefix ${CMAKE_PREFIX_PATH} ${prefixes})
    sharpzero_try_torch("${prefix}")
  endforeach()
  if(NOT folder)
    execute_process(
      COMMAND python3 -c "import importlib.util as u; print(u.find_spec('torch').origin)"
      OUTPUT_VARIABLE origin ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(origin)
      get_filename_component(package "${origin}" DIRECTORY)
      sharpzero_try_torch("${package}")
    endif()
  endif()
  sharpzero_try_torch("/usr")
  set(${result} "${folder}" PARENT_SCOPE)
endfunction()

if(CMAKE_SCRIPT_MODE_FILE)
  sharpzero_find_torch(folder)
  execute_process(COMMAND ${CMAKE_COMMAND} -E echo "${folder}")
  return()
endif()

sharpzero_find_torch(torch_folder)
if(NOT torch_folder)
  message(FATAL_ERROR "LibTorch not found: install libtorch-dev, or set SHARPZERO_TORCH to the "
                      "torch folder of a Python wheel")
endif()
file(GLOB torch_cpu "${torch_folder}/lib/libtorch_cpu.so" "${torch_folder}/lib/*/libtorch_cpu.so")
list(GET torch_cpu 0 torch_cpu)
get_filename_component(torch_lib "${torch_cpu}" DIRECTORY)
set(torch_config "${torch_folder}/share/cmake/Torch/TorchConfig.cmake")
if(EXISTS "${torch_config}")
  file(STRINGS "${torch_config}" old_abi REGEX "_GLIBCXX_USE_CXX11_ABI=0")
  if(old_abi)
    message(FATAL_ERROR "${torch_folder} is built with the old C++ ABI: use torch 2.6 or newer")
  endif()
endif()

add_library(sharpzero_torch INTERFACE)
set(torch_libraries torch torch_cpu c10)
if(EXISTS "${torch_lib}/libtorch_cuda.so")
  # The runtime that the wheel brings (nvidia/cu13 or nvidia/cuda_runtime) or the system's.
  get_filename_component(site "${torch_folder}/.." ABSOLUTE)
  file(GLOB cudart "${site}/nvidia/cu*/lib/libcudart.so.*" "/usr/local/cuda*/lib64/libcudart.so")
  if(NOT cudart)
    message(FATAL_ERROR "${torch_folder} has CUDA, but libcudart is not beside it")
  endif()
  list(GET cudart 0 cudart)
  get_filename_component(cudart_lib "${cudart}" DIRECTORY)
  list(APPEND torch_libraries torch_cuda c10_cuda)
  get_filename_component(cuda_include "${cudart_lib}/../include" ABSOLUTE)  # of nn/device_graph.cpp and stream.cpp
endif()
list(TRANSFORM torch_libraries REPLACE "(.+)" "${torch_lib}/lib\\1.so")
# A wheel brings headers of a newer fmt, which spdlog does not know: the system's must be found first.
if(EXISTS "${torch_folder}/include/fmt" AND NOT torch_folder STREQUAL "/usr")
  find_path(FMT_INCLUDE fmt/core.h REQUIRED)
  file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/include-first")
  file(CREATE_LINK "${FMT_INCLUDE}/fmt" "${CMAKE_BINARY_DIR}/include-first/fmt" SYMBOLIC)
  target_include_directories(sharpzero_torch SYSTEM INTERFACE "${CMAKE_BINARY_DIR}/include-first")
endif()
# As system headers: they are not ours to warn about.
target_include_directories(sharpzero_torch SYSTEM INTERFACE
  "${torch_folder}/include" "${torch_folder}/include/torch/csrc/api/include")
# LibTorch's CUDA half registers itself when loaded, and nothing names it: it must not be dropped.
set(torch_link -Wl,--push-state,--no-as-needed ${torch_libraries} ${cudart} -Wl,--pop-state)
if(NOT torch_folder STREQUAL "/usr")
  # A wheel exports halves of std::filesystem, whose calls end nowhere: the whole one must be found first.
  list(PREPEND torch_link -lstdc++)
  list(APPEND torch_link "-Wl,-rpath,${torch_lib}" "-Wl,-rpath,${cudart_lib}")
endif()
target_link_libraries(sharpzero_torch INTERFACE ${torch_link})
message(STATUS "LibTorch: ${torch_folder}")
