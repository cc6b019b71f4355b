import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface GitServer extends AsyncDisposable {
  readonly url: string
  /** Method, path and user of each request. */
  readonly requests: string[]
}

/** Serves the repositories below `root` over HTTP through git's own `http-backend`; with `password` only to who knows it. */
export async function startGitServer(root: string, password?: string): Promise<GitServer> {
  const requests: string[] = []
  const server = createServer((request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://localhost')
    const [, given = ''] = /^Basic (.*)$/.exec(request.headers.authorization ?? '') ?? []
    const user = Buffer.from(given, 'base64').toString()
    requests.push(`${request.method} ${pathname} ${user}`)
    if (password !== undefined && !user.endsWith(`:${password}`)) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end('no')
      return
    }
    const backend = spawn('git', ['-c', 'safe.directory=*', 'http-backend'], {
      env: {
        PATH: '/usr/local/bin:/usr/bin:/bin',
        GIT_PROJECT_ROOT: root,
        GIT_HTTP_EXPORT_ALL: '1',
        PATH_INFO: decodeURIComponent(pathname),
        QUERY_STRING: search.slice(1),
        REQUEST_METHOD: request.method ?? 'GET',
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
        GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      },
    })
    request.pipe(backend.stdin)
    backend.stdin.on('error', () => {})
    const output: Buffer[] = []
    backend.stdout.on('data', (chunk: Buffer) => output.push(chunk))
    backend.on('close', () => {
      const whole = Buffer.concat(output)
      const end = whole.indexOf('\r\n\r\n')
      for (const line of whole.toString('latin1', 0, end).split('\r\n')) {
        const [name = '', value = ''] = line.split(': ')
        if (name === 'Status') response.statusCode = Number.parseInt(value, 10)
        else response.setHeader(name, value)
      }
      response.end(whole.subarray(end + 4))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
