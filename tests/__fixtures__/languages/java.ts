import type { RepositoryStep } from '../../../packages/testing/src/index.ts'
import type { LanguageSample } from './index.ts'

const parent = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>example</groupId>
  <artifactId>geometry</artifactId>
  <version>1-SNAPSHOT</version>
  <packaging>pom</packaging>
  <modules>
    <module>clocks</module>
    <module>shapes</module>
    <module>signs</module>
  </modules>
  <properties>
    <maven.compiler.release>17</maven.compiler.release>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies>
    <dependency>
      <groupId>org.junit.jupiter</groupId>
      <artifactId>junit-jupiter</artifactId>
      <version>5.14.4</version>
      <scope>test</scope>
    </dependency>
  </dependencies>
  <build>
    <plugins>
      <plugin>
        <artifactId>maven-surefire-plugin</artifactId>
        <version>3.5.4</version>
      </plugin>
    </plugins>
  </build>
</project>
`

const module = (name: string, dependencies = '') => `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <parent>
    <groupId>example</groupId>
    <artifactId>geometry</artifactId>
    <version>1-SNAPSHOT</version>
  </parent>
  <artifactId>${name}</artifactId>
${dependencies}</project>
`

const onShapes = `  <dependencies>
    <dependency>
      <groupId>example</groupId>
      <artifactId>shapes</artifactId>
      <version>\${project.version}</version>
    </dependency>
  </dependencies>
`

const shapes = (...methods: string[]) => `package geometry;

public final class Shapes {
${methods.join('\n')}
}
`
const area = (guard = '') => `  public static int area(int width, int height) {
${guard}    return width * height;
  }
`
const guard = '    if (width < 0 || height < 0) return -1;\n'
const perimeter = (body: string) => `  public static int perimeter(int width, int height) {
    return ${body};
  }
`

const areaTest = (rows: string) => `package geometry;

import static org.junit.jupiter.api.Assertions.*;

import org.junit.jupiter.api.*;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AreaTest {
  @ParameterizedTest
  @CsvSource({${rows}})
  void isTheProduct(int width, int height, int area) {
    assertEquals(area, Shapes.area(width, height));
  }

  @Test
  @Disabled("needs a printer")
  void isPrinted() {}

  @Nested
  class OfASquare {
    @Test
    void isTheSideTwice() {
      assertEquals(9, Shapes.area(3, 3));
    }
  }
}
`

const perimeterTest = (name: string, width: number, wanted: number) => `package geometry;

import static org.junit.jupiter.api.Assertions.*;

import org.junit.jupiter.api.Test;

class PerimeterTest {
  @Test
  void ${name}() {
    assertEquals(${wanted}, Shapes.perimeter(${width}, 2));
  }
}
`

/** Passes now and then; in a module of its own, which every run reports. */
const clockTest = `package clocks;

import static org.junit.jupiter.api.Assertions.*;

import org.junit.jupiter.api.Test;

class ClockTest {
  @Test
  void moves() {
    assertEquals(0, System.nanoTime() / 100 % 64);
  }

  @Test
  void hasATime() {
    assertNotEquals(0, System.nanoTime());
  }
}
`

const history: readonly RepositoryStep[] = [
  {
    commit: 'Start the geometry modules',
    files: {
      '.gitignore': 'target/\n',
      'pom.xml': parent,
      'clocks/pom.xml': module('clocks'),
      'clocks/src/test/java/clocks/ClockTest.java': clockTest,
      'shapes/pom.xml': module('shapes'),
      'shapes/src/main/java/geometry/Shapes.java': shapes(area()),
      'shapes/src/test/java/geometry/AreaTest.java': areaTest('"1, 2, 2", "2, 2, 4"'),
      'signs/pom.xml': module('signs', onShapes),
      'signs/src/main/java/geometry/Signs.java': `package geometry;

public final class Signs {
  public static String of(int width, int height) {
    return width + " by " + height + " is " + Shapes.area(width, height);
  }
}
`,
      'signs/src/test/java/geometry/SignsTest.java': `package geometry;

import static org.junit.jupiter.api.Assertions.*;

import org.junit.jupiter.api.Test;

class SignsTest {
  @Test
  void sayTheArea() {
    assertEquals("2 by 3 is 6", Signs.of(2, 3));
  }
}
`,
    },
  },
  {
    commit:
      'Fix the area of a shape with a negative side\n\nA negative side gave a negative area of any size; it is -1 now.',
    files: {
      'shapes/src/main/java/geometry/Shapes.java': shapes(area(guard)),
      'shapes/src/test/java/geometry/AreaTest.java': areaTest('"1, 2, 2", "2, 2, 4", "-3, 2, -1"'),
    },
  },
  {
    commit: 'Add the perimeter of a shape\n\nShapes.perimeter(width, height) is the length around it.',
    files: {
      'shapes/src/main/java/geometry/Shapes.java': shapes(area(guard), perimeter('2 * width + 2 * height')),
      'shapes/src/test/java/geometry/PerimeterTest.java': perimeterTest('isTheLengthAround', 1, 6),
    },
  },
  {
    commit: 'Fix the perimeter of a line\n\nA shape without a width is a line, and its perimeter its length.',
    files: {
      'shapes/src/main/java/geometry/Shapes.java': shapes(
        area(guard),
        perimeter('width == 0 ? height : 2 * width + 2 * height'),
      ),
      'shapes/src/test/java/geometry/PerimeterTest.java': perimeterTest('ofALineIsItsLength', 0, 2),
    },
  },
  { commit: 'Describe the shapes', files: { 'README.md': '# geometry\n\nAreas and perimeters of plain shapes.\n' } },
]

export const java: LanguageSample = {
  language: 'java',
  runner: 'maven',
  selects: /^[^[]*/,
  image: 'lab/java',
  history,
  expected: {
    'Fix the area of a shape with a negative side': {
      failToPass: ['shapes::geometry.AreaTest::isTheProduct[3]'],
      keeps: [
        'shapes::geometry.AreaTest$OfASquare::isTheSideTwice',
        'shapes::geometry.AreaTest::isTheProduct[1]',
        'signs::geometry.SignsTest::sayTheArea',
      ],
      loses: ['clocks::clocks.ClockTest::moves', 'shapes::geometry.AreaTest::isPrinted'],
    },
    // The new test does not compile before it, and takes its module and the one built on it along: these stay what they were.
    'Add the perimeter of a shape': {
      failToPass: ['shapes::geometry.PerimeterTest::isTheLengthAround'],
      keeps: [
        'clocks::clocks.ClockTest::hasATime',
        'shapes::geometry.AreaTest::isTheProduct[1]',
        'signs::geometry.SignsTest::sayTheArea',
      ],
    },
    'Fix the perimeter of a line': { failToPass: ['shapes::geometry.PerimeterTest::ofALineIsItsLength'] },
    'Describe the shapes': { skip: 'empty_source_patch' },
  },
}
