# vcpkg's port of pintle: with vcpkg.json in a folder `pintle` of an overlay (docs/packages.md).
vcpkg_download_distfile(
  ARCHIVE
  URLS "@URL@"
  FILENAME "pintle-@VERSION@.tar.gz"
  SHA512 @SHA512@)
vcpkg_extract_source_archive(SOURCE_PATH ARCHIVE "${ARCHIVE}")

# vcpkg hides most variables of the environment; cargo is searched for here, in PATH and where rustup puts it.
find_program(CARGO cargo HINTS "$ENV{CARGO_HOME}/bin" "$ENV{HOME}/.cargo/bin" REQUIRED)
# The one library that there is serves programs of all configurations.
set(VCPKG_BUILD_TYPE release)
vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS "-DPINTLE_CARGO=${CARGO}" -DPINTLE_HWCAPS=OFF -DCMAKE_Fortran_COMPILER=NOTFOUND)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME pintle CONFIG_PATH lib/cmake/pintle)
vcpkg_fixup_pkgconfig()

# The package has targets for both libraries, pintle::pintle and pintle::static, whatever the triplet prefers.
set(VCPKG_POLICY_DLLS_IN_STATIC_LIBRARY enabled)
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE-MIT" "${SOURCE_PATH}/LICENSE-APACHE" "${SOURCE_PATH}/THIRD-PARTY.txt")
