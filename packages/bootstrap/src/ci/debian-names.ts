/** What Ubuntu or an older Debian calls otherwise than Debian's releases of today. */
const renamed: Readonly<Record<string, string>> = {
  'libegl1-mesa': 'libegl1',
  'libgdk-pixbuf2.0-dev': 'libgdk-pixbuf-2.0-dev',
  'libgl1-mesa-glx': 'libgl1',
  'libjpeg-turbo8-dev': 'libjpeg62-turbo-dev',
  'libjpeg8-dev': 'libjpeg-dev',
  'libmysqlclient-dev': 'default-libmysqlclient-dev',
  'libncurses5-dev': 'libncurses-dev',
  'libncursesw5-dev': 'libncurses-dev',
  'libpng12-dev': 'libpng-dev',
  'libreadline6-dev': 'libreadline-dev',
  'libreadline7-dev': 'libreadline-dev',
  'libtiff4-dev': 'libtiff-dev',
  'libtiff5-dev': 'libtiff-dev',
  'mysql-client': 'default-mysql-client',
  'python-dev': 'python3-dev',
  'ttf-dejavu': 'fonts-dejavu',
  'ttf-dejavu-core': 'fonts-dejavu-core',
}

/** The name in Debian, where it is known to be another. A name that only Ubuntu has stays, and fails in the image. */
export function debianName(name: string): string {
  return Object.hasOwn(renamed, name) ? renamed[name]! : name
}
