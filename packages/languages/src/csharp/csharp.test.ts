import type { Recipe } from '@r2e/spec'
import { describe, expect, it } from 'vitest'
import { recipeInput } from '../__fixtures__/recipe-input.ts'
import { csharpOwnsTest } from './owns-test.ts'
import { csharpRecipes } from './recipe.ts'
import { csharpRole } from './roles.ts'
import { dotnetRunner } from './runner.ts'
import { csharpTestCases } from './test-cases.ts'

const project = (body: string) => `<Project Sdk="Microsoft.NET.Sdk">${body}</Project>`
const testSdk = '<ItemGroup><PackageReference Include="Microsoft.NET.Test.Sdk" Version="17.11.1" /></ItemGroup>'

const repository = {
  'Shop.sln': '',
  'Directory.Packages.props': '<Project/>',
  'NuGet.config': '<configuration/>',
  'src/Shop/Shop.csproj': project(
    '<PropertyGroup><TargetFrameworks>netstandard2.0;net9.0</TargetFrameworks></PropertyGroup>',
  ),
  'tests/Shop.Tests/Shop.Tests.csproj': project(testSdk),
  'tests/Shop.Specs/Shop.Specs.csproj': project('<PropertyGroup><IsTestProject>true</IsTestProject></PropertyGroup>'),
  'tests/Tools/Tools.csproj': project(`${testSdk}<PropertyGroup><IsTestProject>false</IsTestProject></PropertyGroup>`),
  'src/Shop/obj/Old.csproj': project(testSdk),
}
const [recipe] = (await csharpRecipes(recipeInput(repository))) as [Recipe]

describe('the recipe of C#', () => {
  it('copies what restoring reads, in its own layout', () => {
    expect(recipe.files.map(({ path }) => path)).toEqual([
      'dotnet/Directory.Packages.props',
      'dotnet/NuGet.config',
      'dotnet/Shop.sln',
      'dotnet/src/Shop/Shop.csproj',
      'dotnet/tests/Shop.Specs/Shop.Specs.csproj',
      'dotnet/tests/Shop.Tests/Shop.Tests.csproj',
      'dotnet/tests/Tools/Tools.csproj',
      'projects',
    ])
  })

  it('runs every test project', () =>
    expect(recipe.suite).toEqual(['tests/Shop.Specs/Shop.Specs.csproj', 'tests/Shop.Tests/Shop.Tests.csproj']))

  it('takes the SDK of the newest framework, or of global.json', async () => {
    expect(recipe.baseImage).toBe('mcr.microsoft.com/dotnet/sdk:9.0')
    const [pinned] = await csharpRecipes(
      recipeInput({ ...repository, 'global.json': '{"sdk": {"version": "8.0.303"}}' }),
    )
    expect(pinned!.baseImage).toBe('mcr.microsoft.com/dotnet/sdk:8.0')
  })

  it('is none without a test project', async () =>
    expect(await csharpRecipes(recipeInput({ 'Shop.csproj': project('') }))).toEqual([]))
})

describe('the dotnet command', () => {
  const results = 'tests/Shop.Tests/TestResults'

  it('runs each test project by itself, its report collected below the project [B19 X14]', () => {
    expect(dotnetRunner.suite(recipe)).toHaveLength(2)
    expect(dotnetRunner.suite(recipe)[1]).toEqual({
      argv: [
        ...['dotnet', 'test', 'tests/Shop.Tests/Shop.Tests.csproj', '--nologo'],
        ...['--logger', 'trx;LogFilePrefix=r2e', '--results-directory', results],
      ],
      collect: [{ glob: `${results}/r2e*.trx`, scope: 'tests/Shop.Tests' }],
    })
  })

  it('runs the projects of touched files', () => {
    const commands = dotnetRunner.files(recipe, ['tests/Shop.Tests/PriceTests.cs', 'src/Shop/Price.cs'])
    expect(commands.map(({ argv }) => argv[2])).toEqual(['tests/Shop.Tests/Shop.Tests.csproj'])
  })

  const selectors: Readonly<Record<string, string | undefined>> = {
    'tests/Shop.Tests::Shop.Tests.PriceTests.Passes': 'FullyQualifiedName~Shop.Tests.PriceTests.Passes',
    'tests/Shop.Tests::Shop.Tests.PriceTests.Adds(a: 1, b: "x y") #2': 'FullyQualifiedName~Shop.Tests.PriceTests.Adds',
    'tests/Shop.Tests::Shop.Tests.Outer+Inner.Passes': 'FullyQualifiedName~Shop.Tests.Outer+Inner.Passes',
    'tests/Shop.Tests': undefined,
  }
  for (const [id, filter] of Object.entries(selectors))
    it(`selects ${id} [X14]`, () => {
      const { argv } = dotnetRunner.select(recipe, id)
      expect(argv[2]).toBe('tests/Shop.Tests/Shop.Tests.csproj')
      expect(argv[argv.indexOf('--filter') + 1]).toBe(filter ?? argv[0])
    })
})

const source = `using Xunit;
namespace Shop.Tests;

/* [Fact] public void InAComment() {} */
public class PriceTests : IClassFixture<Shop>
{
    public static IEnumerable<object[]> Rows => new[] { new object[] { 1, @"a "" } [Fact] b" } };
    public int Count { get; } = 1;

    [Fact]
    public void Passes() { Assert.Equal("[Fact] void InAString() {}", $"{1}"); }

    [Theory, Trait("a", "b")]
    [InlineData(1, "x]")]
    [MemberData(nameof(Rows))]
    public async Task Adds<T>(int a, T b)
    {
        var raw = """ " [Fact] """;
    }

    [Test(Description = "x")] [Category("y")] public void OfNUnit() => Check();
    [Microsoft.VisualStudio.TestTools.UnitTesting.TestMethodAttribute] public void OfMSTest() { }

    [Obsolete] public void Helper() { }

    public class Inner { [SkippableFact] public void Deep() { } }
}

public record struct Row(int A);
`

describe('test cases of C#', () => {
  const textOf = (code: string, name: string) => csharpTestCases(code).find((item) => item.name === name)?.text

  it('are methods with an attribute of a test framework', () => {
    expect(csharpTestCases(source).map(({ name }) => name)).toEqual([
      'Shop.Tests.PriceTests.Passes',
      'Shop.Tests.PriceTests.Adds',
      'Shop.Tests.PriceTests.OfNUnit',
      'Shop.Tests.PriceTests.OfMSTest',
      'Shop.Tests.PriceTests+Inner.Deep',
    ])
    expect(csharpTestCases('namespace A { namespace B { class C { [Fact] void D() {} } } }')[0]!.name).toBe('A.B.C.D')
  })

  it('change with their rows and with rows that they name, not with comments [A3]', () => {
    const adds = 'Shop.Tests.PriceTests.Adds'
    expect(textOf(source.replace('"x]"', '"y]"'), adds)).not.toBe(textOf(source, adds))
    expect(textOf(source.replace('{ 1, @', '{ 2, @'), adds)).not.toBe(textOf(source, adds))
    expect(textOf(source.replace('InAComment', 'Other'), adds)).toBe(textOf(source, adds))
  })

  it('take linear time on hostile text', () => {
    for (const unit of [
      '"',
      '@"',
      '"""',
      "'",
      '[',
      '[A(',
      '{',
      '/*',
      '$@"',
      'class A{',
      '[A,',
      'a=',
      '\\',
      '}',
      'namespace A{',
    ])
      csharpTestCases(unit.repeat(400_000 / unit.length))
  }, 20_000)
})

describe('a test id of C#', () => {
  const files = [{ path: 'tests/Shop.Tests/PriceTests.cs', text: source }]
  const rows: Readonly<Record<string, boolean>> = {
    'tests/Shop.Tests::Shop.Tests.PriceTests.Passes': true,
    'tests/Shop.Tests::Shop.Tests.PriceTests.Inherited(a: "b")': true,
    'tests/Shop.Tests::Shop.Tests.PriceTests+Inner.Deep': true,
    'tests/Shop.Tests::Shop.Tests.PriceTestsMore.Passes': false,
    'tests/Shop.Specs::Shop.Tests.PriceTests.Passes': false,
    'tests/Shop.Tests': false,
  }
  for (const [id, owned] of Object.entries(rows))
    it(`${id} is ${owned ? '' : 'not '}from the hidden file [B19]`, () => expect(csharpOwnsTest(files, id)).toBe(owned))
})

describe('the role of a C# path', () => {
  const roles: Readonly<Record<string, string | undefined>> = {
    'src/Shop/Price.cs': 'source',
    'tests/Shop.Tests/Prices.cs': 'test',
    'Shop.UnitTests/data/prices.json': 'test',
    'src/Shop.Test/Prices.cs': 'test',
    'src/Shop/PriceTests.cs': 'test',
    'src/Shop/Contest.cs': 'source',
    'src/Latest/Price.cs': 'source',
    'src/Shop/Shop.csproj': undefined,
    'docs/PriceTests.cs': undefined,
  }
  for (const [path, role] of Object.entries(roles))
    it(`${path} is ${role ?? 'left to the general rules'} [A1]`, () => expect(csharpRole(path)).toBe(role))
})
