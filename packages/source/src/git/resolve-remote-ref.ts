import { fetchingEnvironment } from './environment.ts'
import { type Git, type GitOptions, runGit } from './git-process.ts'
import { authorize, fetchFailure, type RemoteRequest } from './remote-mirror.ts'

/**
 * The commit that a ref names at a remote, asked of the remote alone. Undefined where only the history can tell: an
 * abbreviated id, an expression such as `main~2`, a name that does not exist.
 */
export async function resolveRemoteRef(
  request: Omit<RemoteRequest, 'cacheDirectory'>,
  git: Omit<Git, 'directory'>,
  options: GitOptions,
): Promise<string | undefined> {
  const { address, spec } = request
  if (/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(spec.ref)) return spec.ref
  if (!/^[A-Za-z0-9][\w.+/-]*$/.test(spec.ref)) return undefined
  const names = ['', 'refs/', 'refs/tags/', 'refs/heads/'].map((prefix) => `${prefix}${spec.ref}`)
  const asking = {
    ...git,
    directory: '/',
    environment: fetchingEnvironment(request.environment, await authorize(request)),
  }
  const patterns = names.flatMap((name) => [name, `${name}^{}`])
  const listed = await runGit(asking, ['ls-remote', '--', address.fetchUrl, ...patterns], options)
  if (listed.code !== 0) throw fetchFailure(address, listed.stderr)
  const lines = listed.stdout.toString().split('\n')
  const ids = new Map(lines.map((line) => line.split('\t').reverse() as [string, string]))
  // An annotated tag stands for the commit that it names.
  for (const name of names) {
    const id = ids.get(`${name}^{}`) ?? ids.get(name)
    if (id) return id
  }
  return undefined
}
