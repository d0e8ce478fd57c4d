# Defines the target sharpzero_onednn where eight-bit inference can be built: with the oneDNN 2 that
# Debian's LibTorch itself uses. A wheel's LibTorch has a oneDNN of its own inside, of another version:
# the names of the two would clash.
if(torch_folder STREQUAL "/usr")
  find_path(ONEDNN_INCLUDE oneapi/dnnl/dnnl_version.h)
  find_library(ONEDNN_LIBRARY dnnl)
  find_package(OpenMP)
  if(ONEDNN_INCLUDE AND ONEDNN_LIBRARY AND OpenMP_CXX_FOUND)
    file(STRINGS "${ONEDNN_INCLUDE}/oneapi/dnnl/dnnl_version.h" major
         REGEX "DNNL_VERSION_MAJOR +2$")
  endif()
endif()
if(major)
  add_library(sharpzero_onednn INTERFACE)
  target_include_directories(sharpzero_onednn SYSTEM INTERFACE "${ONEDNN_INCLUDE}")
  target_link_libraries(sharpzero_onednn INTERFACE ${ONEDNN_LIBRARY} OpenMP::OpenMP_CXX)
  message(STATUS "int8 inference: ${ONEDNN_LIBRARY}")
else()
  message(STATUS "int8 inference: no (needs Debian's LibTorch and libdnnl-dev 2)")
endif()
