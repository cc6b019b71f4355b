/** Name below `/r2e/`. */
export const providerFile = 'provider.cmake'

/** Lower-case names under which projects fetch what Debian installs, to the name that find_package wants. */
const packages: Readonly<Record<string, string>> = {
  'abseil-cpp': 'absl',
  absl: 'absl',
  benchmark: 'benchmark',
  catch: 'Catch2',
  catch2: 'Catch2',
  cli11: 'CLI11',
  doctest: 'doctest',
  eigen: 'Eigen3',
  eigen3: 'Eigen3',
  fmt: 'fmt',
  fmtlib: 'fmt',
  google_benchmark: 'benchmark',
  googlebenchmark: 'benchmark',
  json: 'nlohmann_json',
  magic_enum: 'magic_enum',
  nlohmann_json: 'nlohmann_json',
  'nlohmann-json': 'nlohmann_json',
  pybind11: 'pybind11',
  'range-v3': 'range-v3',
  re2: 're2',
  spdlog: 'spdlog',
  tinyxml2: 'tinyxml2',
  'yaml-cpp': 'yaml-cpp',
}

/**
 * Answers FetchContent with what is installed, however the project writes its name: without it a name must be just that
 * of the find module. Targets are seen everywhere and by their short names, as those of a fetched project are.
 */
export const fetchProvider: string = `${Object.entries(packages)
  .map(([name, wanted]) => `set(R2E_PACKAGE_${name} ${wanted})`)
  .join('\n')}

macro(r2e_provide method name)
  string(TOLOWER "\${name}" r2e_name)
  set(r2e_package "\${R2E_PACKAGE_\${r2e_name}}")
  if(r2e_package)
    set(r2e_global "\${CMAKE_FIND_PACKAGE_TARGETS_GLOBAL}")
    set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON)
    find_package(\${r2e_package} QUIET BYPASS_PROVIDER)
    set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL "\${r2e_global}")
    if(\${r2e_package}_FOUND)
      FetchContent_SetPopulated(\${name})
      if(TARGET \${r2e_package}::\${r2e_package} AND NOT TARGET \${r2e_package})
        add_library(\${r2e_package} ALIAS \${r2e_package}::\${r2e_package})
      endif()
    endif()
  endif()
endmacro()
cmake_language(SET_DEPENDENCY_PROVIDER r2e_provide SUPPORTED_METHODS FETCHCONTENT_MAKEAVAILABLE_SERIAL)
`
