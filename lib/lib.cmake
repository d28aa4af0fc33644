# tessera_sim: the public simulation library, shared, with every model inside.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# What goes into a shared library must not care where it lies.
set(library_parts tessera_models tessera_dmas tessera_dma_bench tessera_harness tessera_model)
set_target_properties(${library_parts} PROPERTIES POSITION_INDEPENDENT_CODE ON)
foreach(part IN LISTS library_parts)
  target_compile_options(${part} PRIVATE -fno-semantic-interposition)
endforeach()

add_library(tessera_sim SHARED
  "${PROJECT_SOURCE_DIR}/lib/simulation.cpp" "${PROJECT_SOURCE_DIR}/lib/dma.cpp" "${PROJECT_SOURCE_DIR}/lib/c_api.cpp")
target_compile_definitions(tessera_sim PRIVATE TESSERA_VERSION="${PROJECT_VERSION}")
target_compile_features(tessera_sim INTERFACE cxx_std_17)
target_include_directories(tessera_sim INTERFACE
  "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>" "$<INSTALL_INTERFACE:include>")
set(exports "${PROJECT_SOURCE_DIR}/lib/exports.map")
target_link_libraries(tessera_sim
  PRIVATE $<BUILD_INTERFACE:tessera_options> $<BUILD_INTERFACE:tessera_model>
          $<BUILD_INTERFACE:tessera_dma_bench> $<BUILD_INTERFACE:tessera_dmas>
          $<BUILD_INTERFACE:tessera_harness> $<BUILD_INTERFACE:tessera_models>)
target_link_options(tessera_sim PRIVATE "-Wl,--version-script=${exports}" "-Wl,--no-undefined")
set_target_properties(tessera_sim PROPERTIES
  LINK_DEPENDS "${exports}" EXPORT_NAME sim
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})

# From the folder of tessera.pc to where the library was installed, wherever that is now.
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY
  "${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/pkgconfig" OUTPUT_VARIABLE pc_to_prefix)
configure_file("${PROJECT_SOURCE_DIR}/lib/tessera.pc.in" "${PROJECT_BINARY_DIR}/tessera.pc" @ONLY)
configure_file("${PROJECT_SOURCE_DIR}/lib/tesseraConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/tesseraConfig.cmake" @ONLY)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/tesseraConfigVersion.cmake"
  COMPATIBILITY SameMajorVersion)
set(package "${CMAKE_INSTALL_LIBDIR}/cmake/tessera")
install(TARGETS tessera_sim EXPORT tesseraTargets LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(EXPORT tesseraTargets NAMESPACE tessera:: DESTINATION "${package}")
install(FILES "${PROJECT_BINARY_DIR}/tesseraConfig.cmake"
              "${PROJECT_BINARY_DIR}/tesseraConfigVersion.cmake" DESTINATION "${package}")
install(FILES "${PROJECT_BINARY_DIR}/tessera.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/tessera" DESTINATION include)
