import { SNAPSHOT_ATTRIBUTES } from './diff-arguments.ts'
import { WORK_TREE } from './task-input.ts'

/** Files of environment/ that the snapshot is made from. */
export const BASE_ARCHIVE = 'base.tar.gz'
export const TAG_FILE = 'version-tag'

/** Installs what the grader and the snapshot need, and the recipe's packages, only where they are missing. */
export function systemStep(packages: readonly string[]): string {
  const own = packages.map((name) => `dpkg -s ${name} >/dev/null 2>&1 || need="$need ${name}"`)
  return chain(
    ';',
    'need=',
    ...['python3', 'git', 'bash', 'tar'].map((name) => `command -v ${name} >/dev/null || need="$need ${name}"`),
    '[ -e /etc/ssl/certs/ca-certificates.crt ] || need="$need ca-certificates"',
    ...own,
    [
      'if [ -z "$need" ]; then true',
      'elif command -v apt-get >/dev/null; then apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $need >/dev/null && rm -rf /var/lib/apt/lists/*',
      'elif command -v apk >/dev/null; then apk add --no-cache $need',
      'else echo "the base image lacks:$need" >&2; exit 1',
      'fi',
    ].join('; \\\n '),
  )
}

/** One commit with a fixed author and date, no other object, no hook, no remote. */
export const SNAPSHOT_STEP: string = chain(
  ' &&',
  `cd ${WORK_TREE}`,
  'find . -mindepth 1 -delete',
  `tar -xzf /r2e/${BASE_ARCHIVE} --no-same-owner`,
  "git config --system --add safe.directory '*'",
  'git init -q --template= .',
  'git symbolic-ref HEAD refs/heads/main',
  'mkdir -p .git/info',
  `echo '${SNAPSHOT_ATTRIBUTES}' > .git/info/attributes`,
  'git -c core.autocrlf=false -c core.excludesFile=/dev/null -c advice.addEmbeddedRepo=false add -A -f .',
  "export GIT_AUTHOR_DATE='2000-01-01T00:00:00Z' GIT_COMMITTER_DATE='2000-01-01T00:00:00Z'",
  "git -c user.name=r2e -c user.email=r2e@localhost -c commit.gpgSign=false commit -q --allow-empty --no-verify -m 'Base'",
  `if [ -f /r2e/${TAG_FILE} ]; then git tag -- "$(cat /r2e/${TAG_FILE})"; fi`,
  'git reflog expire --expire=now --all',
  'git gc -q --prune=now',
  'rm -rf .git/logs .git/COMMIT_EDITMSG',
  `rm -f /r2e/${BASE_ARCHIVE} /r2e/${TAG_FILE}`,
)

function chain(separator: string, ...commands: readonly string[]): string {
  return commands.join(`${separator} \\\n `)
}
