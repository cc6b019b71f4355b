import type { Recipe, RecipeFile, RecipeInput, RecipeOrigin, RecipeStep } from '@r2e/spec'
import { type Manifests, openManifests } from '../manifests.ts'
import { toolchainChannel } from './cargo-manifest.ts'
import { type CargoPackage, cargoPackages, cargoRoots, isOwn, manifestFolder, targetFiles } from './workspaces.ts'

/** The newest release that recipes name: older sources build with it, newer ones ask for more by `rust-version`. */
const usual = 90

const inManifests = `cd /r2e/${manifestFolder}`
const eachRoot = (command: string) =>
  `while IFS= read -r root; do (cd "./$root" && { ${command}; } < /dev/null) || exit 1; done < /r2e/roots`

/** Build products stay out of the work tree, so that nothing in it is taken for a file of the project. */
const targetFolder = '/r2e/target'

/** Empty programs in place of the sources: without them cargo calls a manifest broken. */
const stubs: RecipeStep = {
  run: `${inManifests} && while IFS= read -r file; do mkdir -p "$(dirname "./$file")" && echo 'fn main() {}' > "./$file"; done < /r2e/targets`,
  network: false,
}

const fetch: RecipeStep = { run: `${inManifests} && ${eachRoot('cargo fetch')}`, network: true }

/** Compiles the dependencies once for every task of these manifests. */
const buildDependencies: RecipeStep = {
  run: `${inManifests} && ${eachRoot('cargo build --profile test --tests --workspace --keep-going > /dev/null 2>&1 || true')}`,
  network: true,
  optional: true,
}

/** A library keeps no lock file: the one that was resolved for the environment holds for the agent and the grader. */
const placeLock: RecipeStep = {
  run: eachRoot(
    `if [ ! -e Cargo.lock ] && [ -e "/r2e/${manifestFolder}/$root/Cargo.lock" ]; then cp "/r2e/${manifestFolder}/$root/Cargo.lock" . && echo "/$root/Cargo.lock" | tr -s / >> /app/.git/info/exclude; fi`,
  ),
  network: false,
}

/** cargo tells by the times of files what it must compile: every source is newer than what was made of its stub. */
const renew: RecipeStep = { run: "find . -name '*.rs' -exec touch {} +", network: false }

/** Fills the compiler's cache, so that a test run compiles what changed alone. */
const warmUp: RecipeStep = {
  run: eachRoot('cargo build --profile test --tests --workspace --keep-going > /dev/null 2>&1 || true'),
  network: false,
  optional: true,
}

/** One recipe: the manifests alone are copied, so that no source of the project enters a layer. */
export async function rustRecipes(input: RecipeInput): Promise<readonly Recipe[]> {
  const manifests = await openManifests(input.tree)
  const packages = await cargoPackages(manifests)
  const roots = cargoRoots(packages)
  if (roots.length === 0) return []
  const files = await manifestFiles(manifests)
  const vendored = files.some(({ path, text }) => path.includes('/.cargo/') && text.includes('vendored-sources'))
  const toolchain = await readToolchain(manifests)
  const nextest = roots.map((root) => (root ? `${root}/${NEXTEST}` : NEXTEST)).find(manifests.has)
  const lines = (paths: readonly string[]) => paths.map((path) => `${path}\n`).join('')
  return [
    {
      schema: 'r2e.recipe/1',
      language: 'rust',
      baseImage: `rust:${imageVersion(packages, toolchain?.channel)}`,
      system: [],
      env: {
        CARGO_TARGET_DIR: targetFolder,
        CARGO_INCREMENTAL: '0',
        // For packages without a lock file: nothing newer than their own rust-version or the compiler.
        CARGO_RESOLVER_INCOMPATIBLE_RUST_VERSIONS: 'fallback',
        // The one that the image holds, whatever the project names.
        ...(toolchain && { RUSTUP_TOOLCHAIN: `\${RUST_VERSION}` }),
      },
      files: [
        ...files,
        { path: 'roots', text: lines(roots) },
        { path: 'targets', text: lines(targetFiles(manifests, packages)) },
      ],
      dependencies: [stubs, vendored ? { ...fetch, optional: true } : fetch, buildDependencies],
      setup: [],
      project: [renew, placeLock, warmUp].map((step) => ({
        ...step,
        run: `export CARGO_NET_OFFLINE=true; ${step.run}`,
      })),
      runner: 'cargo',
      suite: roots.map((root) => root || '.'),
      ...(nextest && { testCommand: ['cargo', 'nextest', 'run', '--workspace'] }),
      testEnv: { CARGO_NET_OFFLINE: 'true' },
      manifests: manifests.used(),
      origin: [
        ...originOf(manifests, toolchain),
        ...(nextest ? [{ fact: 'each test in a process of its own, as nextest runs them', file: nextest }] : []),
      ],
    },
  ]
}

/** Whoever configures nextest may have tests that stand no other in their process. */
const NEXTEST = '.config/nextest.toml'

const copied = /(^|\/)(Cargo\.(toml|lock)|\.cargo\/config(\.toml)?)$/

async function manifestFiles(manifests: Manifests): Promise<RecipeFile[]> {
  const paths = manifests.paths.filter((path) => copied.test(path) && isOwn(path.replace(/(^|\/)\.cargo\//, '$1')))
  return Promise.all(
    paths.map(async (path) => ({ path: `${manifestFolder}/${path}`, text: (await manifests.read(path)) ?? '' })),
  )
}

interface Toolchain {
  readonly file: string
  readonly channel: string
}

async function readToolchain(manifests: Manifests): Promise<Toolchain | undefined> {
  for (const file of ['rust-toolchain.toml', 'rust-toolchain']) {
    const channel = toolchainChannel((await manifests.read(file)) ?? '')
    if (channel !== undefined) return { file, channel }
  }
  return undefined
}

/** A release that the toolchain file names, else the usual one or what a package asks for beyond it. */
function imageVersion(packages: readonly CargoPackage[], channel: string | undefined): string {
  const pinned = /^1\.\d+(?:\.\d+)?$/.exec(channel ?? '')?.[0]
  const minors = packages.map(({ rustVersion }) => Number(/^1\.(\d+)/.exec(rustVersion ?? '')?.[1] ?? 0))
  return pinned ?? `1.${Math.max(usual, ...minors)}`
}

function originOf(manifests: Manifests, toolchain: Toolchain | undefined): RecipeOrigin[] {
  const origin = manifests.used().map((file) => ({ fact: 'packages', file }))
  if (!toolchain) return origin
  const { file, channel } = toolchain
  const fact = /^1\.\d/.test(channel) ? `toolchain ${channel}` : `toolchain ${channel} wanted, the image's own used`
  return [...origin.filter((row) => row.file !== file), { fact, file }]
}
