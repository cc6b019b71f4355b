import type { ToolVersion } from './job.ts'

interface NamedImage {
  readonly language: string
  /** Last part of the image's name. */
  readonly name: RegExp
  /** Where the version stands in the tag; the default is its beginning. */
  readonly tag?: RegExp
}

const jdk = /(?:jdk|temurin|corretto|openjdk)-?(\d+)/

const images: readonly NamedImage[] = [
  { language: 'python', name: /^python$/ },
  { language: 'javascript', name: /^(?:node|javascript-node|typescript-node)$/ },
  { language: 'go', name: /^(?:golang|go)$/ },
  { language: 'rust', name: /^rust$/ },
  { language: 'ruby', name: /^ruby$/ },
  { language: 'php', name: /^php$/ },
  { language: 'java', name: /^(?:maven|gradle)$/, tag: jdk },
  { language: 'java', name: /^(?:openjdk|eclipse-temurin|amazoncorretto|java)$/ },
  { language: 'csharp', name: /^(?:sdk|dotnet)$/ },
]

/** The language that an image is made for, and its version: `python:3.12-slim` → 3.12. */
export function imageVersion(image: string): Omit<ToolVersion, 'tested'> | undefined {
  const [path = ''] = image.trim().split('@')
  const base = path.slice(path.lastIndexOf('/') + 1)
  const colon = base.indexOf(':')
  if (colon < 0) return undefined
  const [name, tag] = [base.slice(0, colon), base.slice(colon + 1)]
  const known = images.find((entry) => entry.name.test(name))
  // The tags of development containers begin with a version of their own: `1-3.12-bookworm`.
  const own = path.includes('devcontainers/') ? tag.replace(/^\d+(?:\.\d+)*-(?=\d)/, '') : tag
  const version = known && (known.tag ?? /^v?(\d+(?:\.\d+)*(?:-?(?:rc|alpha|beta|dev)\w*)?)/).exec(own)?.[1]
  return version === undefined ? undefined : { language: known!.language, version }
}

/** `registry.example/library/postgres:15` → `postgres`. */
export function serviceName(image: string): string {
  const [path = ''] = image.trim().split('@')
  return path.slice(path.lastIndexOf('/') + 1).split(':')[0]!
}
