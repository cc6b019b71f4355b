import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { digestOf } from '@r2e/spec'

/** Settings of package clients that a build needs and a test does not: where the index is and which certificates to trust. */
const SETTINGS = [
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'ALL_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'all_proxy',
  'PIP_INDEX_URL',
  'PIP_EXTRA_INDEX_URL',
  'PIP_TRUSTED_HOST',
  'PIP_FIND_LINKS',
  'PIP_DEFAULT_TIMEOUT',
  'PIP_CONFIG_FILE',
  'UV_INDEX_URL',
  'UV_DEFAULT_INDEX',
  'UV_NATIVE_TLS',
  'NPM_CONFIG_REGISTRY',
  'npm_config_registry',
  'GOPROXY',
  'GOSUMDB',
  'GONOSUMDB',
  'GOFLAGS',
]
/** The same, their value a file of certificates that is copied in. */
const CERTIFICATES = [
  'SSL_CERT_FILE',
  'PIP_CERT',
  'REQUESTS_CA_BUNDLE',
  'CURL_CA_BUNDLE',
  'NODE_EXTRA_CA_CERTS',
  'GIT_SSL_CAINFO',
  'CARGO_HTTP_CAINFO',
]

export const BUILD_FILES_PATH = '/dev/.r2e-build'

export interface ClientSettings {
  readonly env: Readonly<Record<string, string>>
  /** Folder to mount at {@link BUILD_FILES_PATH}; absent where there is nothing in it. */
  readonly directory?: string | undefined
}

/** Takes the settings from the caller's environment, copying the certificate files they name below `folder`. */
export async function readClientSettings(
  environment: Readonly<Record<string, string | undefined>>,
  folder: string,
): Promise<ClientSettings> {
  const env: Record<string, string> = {}
  for (const name of SETTINGS) if (environment[name]) env[name] = environment[name]
  const named = CERTIFICATES.flatMap((name) => (environment[name] ? [[name, environment[name]] as const] : []))
  const files = await readAll(new Set(named.map(([, path]) => path)))
  if (files.size === 0) return { env }
  const directory = join(folder, digestOf(JSON.stringify([...files])).slice(7, 19))
  await mkdir(directory, { recursive: true })
  for (const { name, content } of files.values()) await writeWhole(join(directory, name), content)
  for (const [name, path] of named) {
    const file = files.get(path)
    if (file) env[name] = `${BUILD_FILES_PATH}/${file.name}`
  }
  return { env, directory }
}

interface CertificateFile {
  readonly name: string
  readonly content: string
}

async function readAll(paths: ReadonlySet<string>): Promise<Map<string, CertificateFile>> {
  const files = new Map<string, CertificateFile>()
  for (const path of paths) {
    const content = await readFile(path, 'latin1').catch(() => undefined)
    if (content !== undefined) files.set(path, { name: `${digestOf(content).slice(7, 19)}.pem`, content })
  }
  return files
}

async function writeWhole(path: string, content: string): Promise<void> {
  const temporary = `${path}.${process.pid}`
  await writeFile(temporary, content, 'latin1')
  await rename(temporary, path)
}
