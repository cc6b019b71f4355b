/** Checks that are no tests: they need files and plugins of their own, and a style error is no failing test. */
const checks = [
  'enforcer.skip',
  'checkstyle.skip',
  'rat.skip',
  'license.skip',
  'spotless.check.skip',
  'spotless.apply.skip',
  'pmd.skip',
  'cpd.skip',
  'spotbugs.skip',
  'findbugs.skip',
  'animal.sniffer.skip',
  'forbiddenapis.skip',
  'formatter.skip',
  'impsort.skip',
  'fmt.skip',
  'sort.skip',
  'cyclonedx.skip',
  'maven.javadoc.skip',
]

/**
 * What every build of ours is given: no check, no retry of a failing test, a fixed order of classes, tests and cleaning
 * not switched off.
 */
export const mavenArguments: readonly string[] = [
  '-B',
  '-ntp',
  ...checks.map((name) => `-D${name}=true`),
  ...['skipTests', 'maven.test.skip', 'maven.clean.skip'].map((name) => `-D${name}=false`),
  '-Dmaven.test.failure.ignore=true',
  '-Dsurefire.rerunFailingTestsCount=0',
  '-Dfailsafe.rerunFailingTestsCount=0',
  '-Dsurefire.runOrder=alphabetical',
  '-Dfailsafe.runOrder=alphabetical',
]

/** Runs failsafe's tests on what `test` has compiled: nothing is packaged, installed or checked. */
export const failsafeGoal = 'failsafe:integration-test'
