/** Gems that Debian ships as `ruby-<name>`, underscores as hyphens. */
const plain = new Set(
  `activemodel activerecord activesupport addressable aruba asciidoctor ast awesome_print axiom-types base64 bcrypt
benchmark-ips builder bunny capybara childprocess chunky_png citrus clamp coderay coercible colorize commander
connection_pool crack cri csv database_cleaner deep_merge descendants_tracker diff-lcs docile domain_name dotenv
dry-core dry-inflector equalizer escape_utils excon execjs factory_bot fakefs faraday fast_gettext ffi gettext git
globalid gyoku haml hamster hashdiff hashie highline hitimes html-pipeline http-cookie httparty i18n ice_nine json
json-schema jwt kramdown launchy liquid listen locale loofah mail marcel memoizable mime-types mimemagic mini_mime
minitest minitest-focus minitest-hooks minitest-reporters mixlib-cli mocha msgpack multi_json mustache mustermann
mysql2 net-http-persistent net-scp net-ssh net-telnet nio4r nokogiri nori oauth2 oj open4 optimist ox parallel parslet
pastel pathspec pg power_assert prawn public_suffix pygments.rb rack rack-test railties rainbow rantly rbtree redcarpet
redis rest-client roo rouge rr rspec rspec-collection_matchers rspec-core rspec-expectations rspec-its rspec-mocks
rspec-rails rspec-support ruby2_keywords rugged sanitize sass sequel shoulda shoulda-context shoulda-matchers
sinatra slim slop sorted_set spreadsheet sprockets sqlite3 temple terminal-table test-construct test-unit test-unit-rr
text thor thread_safe tilt timecop tins toml toml-rb tomlrb tty-color tty-prompt tty-screen tty-which tzinfo unf
unicode-display_width virtus warning webmock webrick wisper xml-simple xmlparser xpath yajl zeitwerk`.split(/\s+/),
)

const renamed: Readonly<Record<string, string>> = {
  'concurrent-ruby': 'ruby-concurrent',
  'libxml-ruby': 'ruby-libxml',
  rubyzip: 'ruby-zip',
  rake: 'rake',
  'yajl-ruby': 'ruby-yajl',
}

/** The Debian packages of gems, as far as there are such. */
export function debianPackages(names: readonly string[]): string[] {
  const found = names.flatMap((name) => {
    if (Object.hasOwn(renamed, name)) return [renamed[name]!]
    return plain.has(name) ? [`ruby-${name.toLowerCase().replaceAll('_', '-')}`] : []
  })
  return [...new Set(found)].sort()
}
