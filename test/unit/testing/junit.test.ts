import { strict as assert } from 'node:assert';
import { planTest, type TestPlan } from '../../../src/testing/planTest';
import { junit5 } from '../../../src/testing/junit/junit';
import { javaVersion, packageOf } from '../../../src/testing/junit/javaProject';
import { artifactOf, testOptionsOf } from '../../../src/testing/junit/pom';
import { scanJava } from '../../../src/testing/junit/scanJava';
import { verdictOf } from '../../../src/testing/report/verdict';
import { bench, type Bench } from '../support/services';

const FILE = '/home/ada/app/src/test/java/shop/CartTest.java';
const JUPITER = `
package shop;
import org.junit.jupiter.api.Test;
class CartTest {
  @Nested class Counting {
    @Test void countsEachItem() {}
  }
}
`;
const JUNIT4 = `
import static org.junit.Assert.assertEquals;
import org.junit.Test;
public class CartTest {
  @Test public void countsEachItem() {}
}
`;
const POM = `<project>
  <parent><artifactId>all</artifactId></parent>
  <!-- <artifactId>old</artifactId> -->
  <dependencies><dependency><artifactId>junit</artifactId></dependency></dependencies>
  <artifactId> shop </artifactId>
</project>`;

const POM_WITH_OPTIONS = `<project>
  <properties><stack>640k</stack></properties>
  <build><plugins>
    <plugin><artifactId>jacoco</artifactId><configuration><argLine>-Xno</argLine></configuration></plugin>
    <plugin>
      <artifactId>maven-surefire-plugin</artifactId>
      <configuration>
        <argLine>@{argLine} -Xss\${stack}
          "--add-opens=java.base/java.lang=ALL-UNNAMED"</argLine>
        <systemPropertyVariables>
          <mode>fast</mode>
          <data>\${project.basedir}/data dir</data>
          <unknown>\${who.knows}</unknown>
        </systemPropertyVariables>
        <environmentVariables><LEVEL>2</LEVEL></environmentVariables>
      </configuration>
    </plugin>
  </plugins></build>
</project>`;

function project(text: string): Bench {
  const services = bench();
  const { workspace } = services;
  workspace.files.set(FILE, text);
  workspace.files.set('/home/ada/app/pom.xml', POM);
  workspace.debuggers = () => [{ type: 'java', label: 'Java', languages: ['java'] }];
  return services;
}

async function plan(services: Bench, name = 'countsEachItem'): Promise<TestPlan> {
  return await planTest(services.services, {
    file_path: FILE,
    test_name: name,
    timeout_seconds: 20,
    args: ['-Dmode=a b'],
  });
}

/** The parts of a start to compare: the framework, the class that starts it, the project, and the class path. */
function reported({ framework, start }: TestPlan): unknown[] {
  const { mainClass, projectName, classPaths } = start.shown as Record<string, unknown>;
  return [framework.id, mainClass, projectName, classPaths];
}

/** The lines that our runner reads. */
function linesOf({ scratch }: TestPlan): readonly string[] {
  return (scratch.files['run.txt'] ?? '').split('\n').map(decodeURIComponent);
}

describe('a JUnit test', () => {
  it('of version 5 is run by its class and method, in the project that the pom names', async () => {
    const planned = await plan(project(JUPITER));
    assert.deepEqual(reported(planned), [
      'junit5',
      'jdk.compiler/com.sun.tools.javac.launcher.Main',
      'shop',
      ['$Test'],
    ]);
    assert.deepEqual(linesOf(planned).slice(1), [
      ...['report.jsonl', '20', 'JUnit5'],
      [...['/home/ada/app/src/test/java', '/home/ada/app/src/main/java', '/home/ada/app/src']].join(
        ':',
      ),
      ...['shop.CartTest$Counting', 'CartTest > Counting > countsEachItem', '-ea', '-Dmode=a b'],
    ]);
    const newer = project(JUPITER);
    newer.workspace.values.set('env:JAVA_HOME', '/opt/jdk-22');
    assert.match(String(reported(await plan(newer))[1]), /SourceLauncher$/);
  });

  it('runs apart without a debugger, so that its values can be read', async () => {
    const { start, quick } = await plan(project(JUPITER));
    const { args, vmArgs } = start.shown as Record<string, string[]>;
    assert.equal(args?.[2], 'here');
    assert.deepEqual(vmArgs, ['--add-modules=ALL-DEFAULT', '-ea', '-Dmode=a b']);
    assert.deepEqual((quick as Record<string, string[]>)['args'], [...args.slice(0, 2), 'apart']);
  });

  for (const name of [
    'shop.CartTest#countsEachItem',
    'CartTest$Counting.countsEachItem',
    'countsEachItem(int)[2]',
    'CartTest > Counting > countsEachItem(int, String) > [2] 3, "a"',
    'inherited',
  ])
    it(`is looked up by JUnit with the name ${name}`, async () => {
      const planned = await plan(project(JUPITER), name);
      assert.deepEqual(linesOf(planned).slice(5, 7), [
        'shop.CartTest,shop.CartTest$Counting',
        name,
      ]);
      assert.equal(planned.test.line, name === 'inherited' ? undefined : 6);
    });

  it('runs with the options that the pom has for its tests', async () => {
    const services = project(JUPITER);
    services.workspace.files.set('/home/ada/app/pom.xml', POM_WITH_OPTIONS);
    const planned = await plan(services);
    const options = [
      '-ea',
      '-Xss640k',
      '--add-opens=java.base/java.lang=ALL-UNNAMED',
      '-Dmode=fast',
    ];
    const data = '-Ddata=/home/ada/app/data dir';
    assert.deepEqual(linesOf(planned).slice(7), [...options, data, '-Dmode=a b']);
    assert.deepEqual(planned.start.launches[0]?.configuration['env'], { LEVEL: '2' });
    assert.deepEqual(testOptionsOf('<project/>', '/x'), { vmArgs: [], env: {} });
  });

  it('of version 4 is recognized by its imports, and a newer Java by its folder', async () => {
    const services = project(JUNIT4);
    const { workspace } = services;
    workspace.values.set('env:PATH', '/bin:/usr/bin');
    workspace.links.set('/usr/bin/java', '/usr/lib/jvm/java-25-openjdk-amd64/bin/java');
    workspace.files.set('/usr/lib/jvm/java-25-openjdk-amd64/bin/java', '');
    const planned = await plan(services);
    const [id, main] = reported(planned);
    assert.deepEqual(
      [id, main, linesOf(planned)[5]],
      ['junit4', 'jdk.compiler/com.sun.tools.javac.launcher.SourceLauncher', 'CartTest'],
    );
  });

  it('without imports of JUnit is recognized by the build, because its tests may be inherited', async () => {
    const services = project('package shop;\nclass CartTest extends BaseTest {}');
    services.workspace.files.set(
      '/home/ada/app/pom.xml',
      POM.replace('>junit<', '>junit-jupiter<'),
    );
    assert.equal((await plan(services, 'adds')).framework.id, 'junit5');
  });

  it('tells a failure of our runner as ours', () => {
    const chosen = { path: ['CartTest', 'adds'], line: 3, isTemplate: false };
    const said = '/home/ada/.ext/Start.java:4: error: package javax.tools does not exist';
    const uncompiled = junit5.readOutcome(undefined, [said, 'error: compilation failed'], chosen);
    assert.deepEqual(uncompiled, { tests: [], toolFailure: 'package javax.tools does not exist' });
    const verdict = verdictOf(
      junit5.readOutcome('{"toolFailure":"NoSuchMethodError: x"}', [], chosen),
      { test: chosen, file: FILE },
    );
    assert.deepEqual([verdict.outcome, verdict.toolFailure], ['not_run', 'NoSuchMethodError: x']);
  });

  it('counts only the results that our runner found by the name', () => {
    const chosen = { path: ['p.CartTest#isOff'], line: 3, isTemplate: false };
    const report =
      '{"path":["CartTest","isOff"],"status":"skipped","requested":"test","reason":"no"}';
    const { outcome, test } = verdictOf(junit5.readOutcome(report, [], chosen), {
      test: chosen,
      file: FILE,
    });
    assert.deepEqual([outcome, test?.reason], ['skipped', 'no']);
  });

  it('is found by the artifact of the project itself, and runs according to the version of Java', () => {
    assert.equal(artifactOf(POM), 'shop');
    assert.equal(artifactOf('<project/>'), undefined);
    const folders = [
      '/usr/lib/jvm/java-17-openjdk-amd64/bin/java',
      '/home/ada/.sdkman/candidates/java/22.0.1-tem/bin/java',
      '/usr/bin/java',
    ];
    assert.deepEqual(folders.map(javaVersion), [17, 22, 0]);
  });
});

describe('the scan of Java', () => {
  const named = (text: string): unknown[] =>
    scanJava(text)
      .filter(({ kind }) => kind === 'test')
      .map(({ path, line, endLine }) => [path.join('.'), line, endLine]);

  it('finds methods behind annotations with arguments, and leaves out abstract ones', () => {
    const text = [
      'class A {',
      '  @Test abstract void none();',
      '  @org.junit.jupiter.api.Test(expected = X.class) @Csv({"{", "}"}) <T> void first(T t) throws E {',
      '    run(() -> { call(); });',
      '  }',
      '  void helper() { Object record = null; }',
      '  interface B { @Test default void second() {} }',
      '  @RepeatedTest(3)',
      '  @Tag("x") void third() {}',
      '}',
    ].join('\n');
    assert.deepEqual(named(text), [
      ['A.first', 3, 5],
      ['A.B.second', 7, 7],
      ['A.third', 8, 9],
    ]);
  });

  const LONG = 400_000;
  const slow: readonly (readonly [name: string, text: string, read: (text: string) => unknown])[] =
    [
      ['blank lines before a package', '\n'.repeat(LONG), packageOf],
      ['blanks behind package', `package ${' '.repeat(LONG)}`, packageOf],
      ['blank lines before imports', '\n'.repeat(LONG), detected],
      ['blanks before imports', `import ${' '.repeat(LONG)}`, detected],
      ['classes without bodies', 'class A '.repeat(LONG / 8), scanJava],
      ['a test before a long name', `@Test ${'a'.repeat(LONG)}`, scanJava],
      ['tests without bodies', '@Test '.repeat(LONG / 6), scanJava],
      ['comments of a pom', '<!-- '.repeat(LONG / 5), artifactOf],
      ['parts of a pom', '<build>'.repeat(LONG / 7), artifactOf],
      [
        'options of a pom',
        '<project><build><plugins>'.repeat(LONG / 25),
        (text) => testOptionsOf(text, '/x'),
      ],
      ['braces of a pom', `<project>${'${'.repeat(LONG / 2)}`, (text) => testOptionsOf(text, '/x')],
      ['blanks in a pom', `<project><artifactId>${' '.repeat(LONG)}`, artifactOf],
    ];
  function detected(text: string): unknown {
    const services = project('');
    const file = { services: services.services, file: FILE, text, folder: '/x', manifest: {} };
    return junit5.detect(file);
  }
  for (const [name, text, read] of slow)
    it(`reads ${name} in a time that grows with the text`, async () => {
      const began = performance.now();
      await read(text);
      assert.ok(performance.now() - began < 1500, `${performance.now() - began} ms`);
    });
});
