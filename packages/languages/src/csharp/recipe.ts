import type { Recipe, RecipeFile, RecipeInput, RecipeOrigin, RecipeStep } from '@r2e/spec'
import { type Manifests, openManifests } from '../manifests.ts'
import { baseName } from '../path.ts'
import { allElements, parseXml } from '../xml-elements.ts'

/** What restoring reads: projects and what MSBuild and NuGet look for in the folders above them. */
const manifestFile =
  /(?:^|\/)(?:[^/]+\.(?:csproj|fsproj|vbproj|sln|slnx)|Directory\.(?:Build|Packages)\.(?:props|targets)|global\.json|packages\.lock\.json)$|(?:^|\/)nuget\.config$/i
const foreign = /(?:^|\/)(?:bin|obj|node_modules|packages)\//
const oldest = 8

const restore: RecipeStep = {
  run: 'while IFS= read -r project; do (cd /r2e/dotnet && dotnet restore "./$project") || exit 1; done < /r2e/projects',
  network: true,
}

/** Packages are in the user's folder by now; what restoring writes beside the projects is made again, offline. */
const build: RecipeStep = {
  run: 'while IFS= read -r project; do dotnet restore --ignore-failed-sources "./$project" && dotnet build --no-restore --nologo "./$project" || true; done < /r2e/projects > /dev/null 2>&1',
  network: false,
  optional: true,
}

/** One recipe: project files alone are restored; every project that refers to a test SDK is run. */
export async function csharpRecipes(input: RecipeInput): Promise<readonly Recipe[]> {
  const manifests = await openManifests(input.tree)
  const files = await projectFiles(manifests)
  const projects = testProjects(files)
  if (projects.length === 0) return []
  const sdk = sdkVersion(files)
  return [
    {
      schema: 'r2e.recipe/1',
      language: 'csharp',
      baseImage: `mcr.microsoft.com/dotnet/sdk:${sdk.version}`,
      system: [],
      env: {},
      files: [
        ...files.map(({ path, text }) => ({ path: `dotnet/${path}`, text })),
        { path: 'projects', text: projects.map((path) => `${path}\n`).join('') },
      ],
      dependencies: [restore],
      setup: [],
      project: [build],
      runner: 'dotnet',
      suite: projects,
      testEnv: {},
      manifests: manifests.used(),
      origin: [sdk.origin, ...projects.map((file) => ({ fact: 'test project', file }))],
    },
  ]
}

async function projectFiles(manifests: Manifests): Promise<RecipeFile[]> {
  const paths = manifests.paths.filter((path) => manifestFile.test(path) && !foreign.test(path) && !/[\n\r]/.test(path))
  return Promise.all(paths.map(async (path) => ({ path, text: (await manifests.read(path)) ?? '' })))
}

function testProjects(files: readonly RecipeFile[]): string[] {
  return files
    .filter(({ path, text }) => /\.(?:cs|fs|vb)proj$/.test(path) && isTestProject(text))
    .map(({ path }) => path)
}

function isTestProject(text: string): boolean {
  const elements = [...allElements(parseXml(text))]
  if (elements.some(({ name, text: value }) => name === 'IsTestProject' && value === 'false')) return false
  return elements.some(
    ({ name, text: value, attributes }) =>
      (name === 'IsTestProject' && value === 'true') ||
      (name === 'PackageReference' && /^Microsoft\.NET\.Test\.Sdk$|^MSTest$/i.test(attributes.Include ?? '')) ||
      (name === 'Project' && /^MSTest\.Sdk/.test(attributes.Sdk ?? '')),
  )
}

/** The SDK that global.json asks for, else the newest framework of a project; never older than {@link oldest}. */
function sdkVersion(files: readonly RecipeFile[]): { version: string; origin: RecipeOrigin } {
  const global = files.find(({ path }) => path === 'global.json')
  const asked = /"version"\s*:\s*"(\d+\.\d)/.exec(global?.text ?? '')?.[1]
  if (global && asked !== undefined) return { version: asked, origin: { fact: `SDK ${asked}`, file: global.path } }
  const frameworks = files.flatMap(({ path, text }) =>
    [...text.matchAll(/<TargetFrameworks?>[^<]*?net(?:coreapp)?(\d{1,2})\.\d/g)].map((match) => ({
      path,
      major: Number(match[1]),
    })),
  )
  const newest = frameworks.sort((a, b) => b.major - a.major)[0]
  const major = Math.max(oldest, newest?.major ?? 0)
  return {
    version: `${major}.0`,
    origin: { fact: `SDK ${major}.0`, file: newest?.path ?? baseName(files[0]?.path ?? '') },
  }
}
