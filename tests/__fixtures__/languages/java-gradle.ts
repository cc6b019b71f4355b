import type { LanguageSample } from './index.ts'

const source = (body: string) => `package slug;

public final class Slug {
  private Slug() {}

  public static String of(String title) {
    return ${body};
  }
}
`

const tests = (more = '') => `package slug;

import static org.junit.Assert.assertEquals;

import org.junit.Ignore;
import org.junit.Test;

public class SlugTest {
  @Test public void lowers() { assertEquals("a", Slug.of("A")); }

  @Test public void joins() { assertEquals("a-b", Slug.of("A b")); }

  @Ignore @Test public void knowsUmlauts() { assertEquals("ae", Slug.of("ä")); }
${more}}
`
const trims = `
  @Test public void trimsBlanks() { assertEquals("a", Slug.of(" a ")); }
`
const build = `apply plugin: 'java'

repositories { mavenCentral() }

dependencies { testCompile 'junit:junit:4.13.2' }
`
const subject = 'Fix slugs of titles with extra blanks'

/** Two projects, one of which lies elsewhere than its path says, and the Gradle of Debian. */
export const gradle: LanguageSample = {
  language: 'java',
  runner: 'gradle',
  image: 'r2e/gradle-of-debian',
  dockerfile: `FROM lab/java
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends gradle >/dev/null && rm -rf /var/lib/apt/lists/*
`,
  history: [
    {
      commit: 'Start the slug library',
      files: {
        'settings.gradle': "include 'core', 'shell'\nproject(':core').projectDir = file('modules/core')\n",
        'build.gradle': '',
        'modules/core/build.gradle': build,
        'modules/core/src/main/java/slug/Slug.java': source("title.toLowerCase().replace(' ', '-')"),
        'modules/core/src/test/java/slug/SlugTest.java': tests(),
        'shell/build.gradle': `${build}\ndependencies { compile project(':core') }\n`,
        'shell/src/test/java/slug/ShellTest.java': tests().replace('class SlugTest', 'class ShellTest'),
      },
    },
    {
      commit: `${subject}\n\nBlanks at the ends of a title gave hyphens where nothing is expected.`,
      files: {
        'modules/core/src/main/java/slug/Slug.java': source("title.trim().toLowerCase().replace(' ', '-')"),
        'modules/core/src/test/java/slug/SlugTest.java': tests(trims),
      },
    },
  ],
  expected: {
    [subject]: {
      failToPass: ['modules/core::slug.SlugTest::trimsBlanks'],
      keeps: ['modules/core::slug.SlugTest::lowers', 'shell::slug.ShellTest::joins'],
      loses: ['modules/core::slug.SlugTest::knowsUmlauts'],
    },
  },
}
