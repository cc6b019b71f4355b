/** Extensions of PHP: the Debian package that holds one, and what an official image needs to build it. */
interface Extension {
  readonly debian: string
  /** Debian packages of headers, and the name that `docker-php-ext-install` takes. */
  readonly build?: { readonly packages: readonly string[]; readonly name: string }
}

const built = (debian: string, name: string, ...packages: string[]): Extension => ({
  debian,
  build: { packages, name },
})

const known: Readonly<Record<string, Extension>> = {
  bcmath: built('php-bcmath', 'bcmath'),
  bz2: built('php-bz2', 'bz2', 'libbz2-dev'),
  calendar: built('php-cli', 'calendar'),
  curl: { debian: 'php-curl' },
  dom: { debian: 'php-xml' },
  exif: built('php-cli', 'exif'),
  gd: built('php-gd', 'gd', 'libpng-dev'),
  gmp: built('php-gmp', 'gmp', 'libgmp-dev'),
  intl: built('php-intl', 'intl', 'libicu-dev'),
  ldap: built('php-ldap', 'ldap', 'libldap2-dev'),
  mbstring: { debian: 'php-mbstring' },
  mysqli: built('php-mysql', 'mysqli'),
  pcntl: built('php-cli', 'pcntl'),
  pdo: { debian: 'php-cli' },
  pdo_mysql: built('php-mysql', 'pdo_mysql'),
  pdo_pgsql: built('php-pgsql', 'pdo_pgsql', 'libpq-dev'),
  pdo_sqlite: { debian: 'php-sqlite3' },
  pgsql: built('php-pgsql', 'pgsql', 'libpq-dev'),
  simplexml: { debian: 'php-xml' },
  soap: built('php-soap', 'soap', 'libxml2-dev'),
  sockets: built('php-cli', 'sockets'),
  sqlite3: { debian: 'php-sqlite3' },
  tidy: built('php-tidy', 'tidy', 'libtidy-dev'),
  xml: { debian: 'php-xml' },
  xmlreader: { debian: 'php-xml' },
  xmlwriter: { debian: 'php-xml' },
  xsl: built('php-xml', 'xsl', 'libxslt1-dev'),
  zip: built('php-zip', 'zip', 'libzip-dev'),
}

function lookUp(names: readonly string[]): Extension[] {
  return names.map((name) => name.toLowerCase()).flatMap((name) => (Object.hasOwn(known, name) ? [known[name]!] : []))
}

/** Packages of Debian's own PHP. */
export function debianExtensions(names: readonly string[]): string[] {
  return unique(lookUp(names).map(({ debian }) => debian))
}

/** What an official image builds, and the headers for it. */
export function builtExtensions(names: readonly string[]): { readonly names: string[]; readonly packages: string[] } {
  const builds = lookUp(names).flatMap(({ build }) => (build ? [build] : []))
  return { names: unique(builds.map(({ name }) => name)), packages: unique(builds.flatMap(({ packages }) => packages)) }
}

function unique(words: readonly string[]): string[] {
  return [...new Set(words)].sort()
}
