import { describe, expect, it } from 'vitest'
import { isIntegrationTest, isUnitTest, jvmRole } from './roles.ts'

describe('the role of a JVM path', () => {
  const roles: Readonly<Record<string, string | undefined>> = {
    'src/main/java/shop/Price.java': 'source',
    'src/main/resources/shop/messages.properties': 'source',
    'src/main/java/shop/LoadTest.java': 'source',
    'src/test/java/shop/PriceTest.java': 'test',
    'src/test/java/shop/Prices.java': 'test',
    'src/test/resources/shop/prices.json': 'test',
    'core/src/test/kotlin/shop/PriceTest.kt': 'test',
    'core/src/jvmTest/kotlin/shop/Prices.kt': 'test',
    'core/src/integrationTest/java/shop/Shop.java': 'test',
    'core/src/testFixtures/java/shop/Shop.java': 'test',
    'core/src/it/simple/pom.xml': 'test',
    'lib/PriceTest.java': 'test',
    'lib/ShopIT.java': 'test',
    'lib/latest.java': 'source',
    'lib/LaTest.java': 'test',
    'lib/Contest.java': 'source',
    'lib/Price.kt': 'source',
    'tests/Price.java': 'test',
    'buildSrc/src/main/kotlin/conventions.kt': 'other',
    'docs/src/test/java/shop/GuideTest.java': undefined,
    'pom.xml': undefined,
    'build.gradle.kts': undefined,
    'README.md': undefined,
  }
  for (const [path, role] of Object.entries(roles))
    it(`${path} is ${role ?? 'left to the general rules'} [A1]`, () => expect(jvmRole(path)).toBe(role))
})

describe('a test class', () => {
  const kinds: Readonly<Record<string, 'unit' | 'integration' | 'neither'>> = {
    'src/test/java/PriceTest.java': 'unit',
    'src/test/java/TestPrice.java': 'unit',
    'src/test/java/PriceTests.java': 'unit',
    'src/test/java/PriceTestCase.java': 'unit',
    'src/test/kotlin/PriceSpec.kt': 'unit',
    'src/test/java/ShopIT.java': 'integration',
    'src/test/java/ITShop.java': 'integration',
    'src/test/java/ShopITCase.java': 'integration',
    'src/test/java/Testing.java': 'neither',
    'src/test/java/EDIT.java': 'integration',
    'src/main/java/LoadTest.java': 'neither',
  }
  for (const [path, kind] of Object.entries(kinds))
    it(`${path} is for ${kind}`, () =>
      expect(isUnitTest(path) ? 'unit' : isIntegrationTest(path) ? 'integration' : 'neither').toBe(kind))
})
