# Target pintle::fortran: the modules, compiled by the Fortran compiler of this project, and libpintle.

if(NOT TARGET pintle::fortran)
  set(pintle_module_dir "${CMAKE_CURRENT_BINARY_DIR}/pintle_modules")
  add_library(pintle_fortran STATIC "${pintle_include_dir}/pintle_raw.f90" "${pintle_include_dir}/pintle.f90")
  set_target_properties(pintle_fortran PROPERTIES Fortran_MODULE_DIRECTORY "${pintle_module_dir}"
                                                  POSITION_INDEPENDENT_CODE ON)
  target_include_directories(pintle_fortran PUBLIC "${pintle_module_dir}")
  target_link_libraries(pintle_fortran PUBLIC pintle::pintle)
  add_library(pintle::fortran ALIAS pintle_fortran)
endif()
