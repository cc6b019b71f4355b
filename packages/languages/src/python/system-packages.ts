/** Debian packages that a distribution needs to build from source or to load. */
const needs: Readonly<Record<string, readonly string[]>> = {
  cairocffi: ['libcairo2'],
  cairosvg: ['libcairo2'],
  gevent: ['libev-dev', 'libc-ares-dev'],
  gdal: ['libgdal-dev'],
  h5py: ['libhdf5-dev'],
  kerberos: ['libkrb5-dev'],
  gssapi: ['libkrb5-dev'],
  lxml: ['libxml2-dev', 'libxslt1-dev'],
  mysqlclient: ['default-libmysqlclient-dev', 'pkg-config'],
  'opencv-python': ['libgl1', 'libglib2.0-0'],
  psycopg: ['libpq5'],
  psycopg2: ['libpq-dev'],
  pycairo: ['libcairo2-dev', 'pkg-config'],
  pycurl: ['libcurl4-openssl-dev', 'libssl-dev'],
  pygobject: ['libgirepository1.0-dev', 'libcairo2-dev', 'pkg-config'],
  pygraphviz: ['libgraphviz-dev', 'graphviz', 'pkg-config'],
  pyodbc: ['unixodbc-dev'],
  'python-ldap': ['libldap2-dev', 'libsasl2-dev'],
  'python-magic': ['libmagic1'],
  'python-snappy': ['libsnappy-dev'],
  shapely: ['libgeos-dev'],
  soundfile: ['libsndfile1'],
  weasyprint: ['libpango-1.0-0', 'libpangocairo-1.0-0'],
  xmlsec: ['libxmlsec1-dev', 'pkg-config'],
}

/** Names whose newest releases come without a wheel, so that a compiler is needed. */
const compiled = new Set([
  'gdal',
  'gssapi',
  'kerberos',
  'mysqlclient',
  'psycopg2',
  'pycairo',
  'pycurl',
  'pygobject',
  'pygraphviz',
  'python-ldap',
  'python-snappy',
  'xmlsec',
])

export function systemPackages(names: readonly string[], ownExtensions: boolean): string[] {
  const found = new Set(names.flatMap((name) => (Object.hasOwn(needs, name) ? needs[name]! : [])))
  if (ownExtensions || names.some((name) => compiled.has(name)))
    for (const name of ['build-essential', 'python3-dev']) found.add(name)
  return [...found].sort()
}
