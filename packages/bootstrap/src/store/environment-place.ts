import { canonicalJson, type JsonObject, type ObjectId, sha256Hex } from '@r2e/spec'
import { INFERENCE_VERSION } from '../recipe-builder.ts'

/** What an environment is looked up by, before anything of the repository was read but the id of its commit. */
export interface EnvironmentPlace {
  readonly owner: string
  readonly name: string
  readonly commit: ObjectId
  readonly options: PlaceOptions
}

/** What the user asked for that makes another environment; null or absent where it was not said. */
export interface PlaceOptions {
  readonly platform: string
  readonly base_image?: string | null
  readonly user_dockerfile?: string | null
  readonly image_registry?: string | null
  readonly languages_hint?: readonly string[] | null
  readonly setup?: readonly string[] | null
  readonly test_cmd?: string | null
  /** Only where it is not a container engine: its environments are none that others can use. */
  readonly sandbox?: string | null
}

/** Eight digits that name the options; what is null or empty does not count. */
export function optionsName(options: PlaceOptions): string {
  const given = Object.entries(options).filter(([, value]) => value !== null && value !== undefined && value.length > 0)
  const named: JsonObject = { ...Object.fromEntries(given), recipe_version: INFERENCE_VERSION }
  return sha256Hex(canonicalJson(named)).slice(0, 8)
}

/** `<owner>__<name>`: the folder of a repository. */
export const repositoryFolder = ({ owner, name }: Pick<EnvironmentPlace, 'owner' | 'name'>) => `${owner}__${name}`

/** `<sha12>__<opts8>`: the folder of a commit with options, below that of its repository. */
export const commitFolder = ({ commit, options }: EnvironmentPlace) => `${commit.slice(0, 12)}__${optionsName(options)}`

/** `<registry>/<owner>__<name>:<sha12>-<opts8>` in the letters that a name of an image may have. */
export function imageTag(place: EnvironmentPlace): string {
  const registry = place.options.image_registry || 'local/r2e-bootstrap'
  const name = `${imagePart(place.owner)}__${imagePart(place.name)}`
  return `${registry.toLowerCase()}/${name}:${commitFolder(place).replace('__', '-')}`
}

function imagePart(text: string): string {
  const plain = text.toLowerCase().replace(/[^a-z0-9._-]+/g, '-')
  const joined = plain.replace(/[._-]{2,}/g, (run) => (/^-+$/.test(run) ? run : '-'))
  return joined.replace(/^[^a-z0-9]+|[^a-z0-9]+$/g, '') || 'repository'
}
