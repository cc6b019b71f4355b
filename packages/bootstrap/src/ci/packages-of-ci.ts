import type { CiFacts, Fact } from './ci-facts.ts'

/** Tools of people and of other jobs than those of tests, or of every image that the engine prepares. */
const tools =
  /^(?:apt-transport-https|apt-utils|bash|bash-completion|ca-certificates|clang-format|clang-tidy|cppcheck|curl|dirmngr|doxygen|gcovr|gdb|git|git-core|gnupg2?|htop|iwyu|lcov|less|locales|lsb-release|man-db|nano|openssh-client|software-properties-common|strace|sudo|tar|tmux|unzip|valgrind|vim|wget|zsh)$/

/** What the image of a language brings in its own version. */
const own: Readonly<Record<string, RegExp>> = {
  cpp: /^(?:build-essential|ccache|clang|cmake|g\+\+|gcc|lld|llvm|make|meson|ninja-build|pkg-config|pkgconf)$/,
  csharp: /^dotnet-/,
  go: /^golang/,
  java: /^(?:default-j[dr]k|openjdk-\d+|maven$|gradle$)/,
  javascript: /^(?:nodejs|npm|yarn|yarnpkg)$/,
  php: /^(?:php[\d.]*(?:-|$)|composer$)/,
  python:
    /^(?:python3?|python-is-python3|python3?-(?:dev|pip|venv|setuptools|wheel|virtualenv|pytest|tox)|tox|virtualenv)$/,
  ruby: /^(?:ruby[\d.]*|ruby[\d.]*-dev|ruby-full|bundler|ruby-bundler|rake)$/,
  rust: /^(?:rustc|cargo|rustup|rust-all)$/,
}

const mostPackages = 60

/** The packages that a recipe gains by what CI files and Dockerfiles install. */
export function packagesOfCi(facts: CiFacts, language: string, system: readonly string[]): readonly Fact<string>[] {
  const brought = Object.hasOwn(own, language) ? own[language] : undefined
  return facts.packages
    .filter(({ value }) => !tools.test(value) && !brought?.test(value) && !system.includes(value))
    .slice(0, mostPackages)
}
