const BOTS = new Set([
  'allcontributors',
  'bors',
  'codecov-io',
  'copybara-service',
  'dependabot',
  'dependabot-preview',
  'depfu',
  'gcf-owl-bot',
  'gitguardian',
  'github-actions',
  'github actions',
  'gitlab-bot',
  'googlebot',
  'greenkeeper',
  'hosted weblate',
  'weblate',
  'homu',
  'imgbot',
  'k8s-ci-robot',
  'lgtm-com',
  'mend-bolt-for-github',
  'mergify',
  'pre-commit-ci',
  'pyup-bot',
  'pyup.io bot',
  'release-please',
  'renovate',
  'renovate bot',
  'renovate-bot',
  'semantic-release-bot',
  'snyk-bot',
  'sourcery-ai',
  'transifex-integration',
  'whitesource-bolt-for-github',
])
const LOGIN = /\[bot\]$|^[\w.]+[-_]bot$/
const BOT_BRANCH =
  /^(?:dependabot|renovate|pre-commit-ci|snyk|greenkeeper|imgbot|depfu|pyup|all-contributors|whitesource|mergify)[-/]/

/** Whether the author of a change is a program. People with bot-like names (`Abbot`, `Bas Bot`) are people. */
export function isBot(name: string, email: string): boolean {
  const who = name.trim().toLowerCase()
  const mailbox = email
    .toLowerCase()
    .replace(/@.*$/, '')
    .replace(/^\d+\+/, '')
  return BOTS.has(who) || LOGIN.test(who) || mailbox.endsWith('[bot]') || BOTS.has(mailbox)
}

/** Whether a merged branch (`owner/branch` or `branch`) was opened by a program. */
export function isBotBranch(branch: string): boolean {
  return BOT_BRANCH.test(branch) || BOT_BRANCH.test(branch.replace(/^[^/]+\//, ''))
}
