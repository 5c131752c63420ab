import { strict as assert } from 'node:assert';
import { planTest, type TestPlan } from '../../../src/testing/planTest';
import { artifactOf, javaVersion, junit5 } from '../../../src/testing/junit/junit';
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

function project(text: string): Bench {
  const services = bench();
  const { workspace } = services;
  workspace.files.set(FILE, text);
  workspace.files.set('/home/ada/app/pom.xml', POM);
  workspace.debuggers = () => [{ type: 'java', label: 'Java', languages: ['java'] }];
  return services;
}

async function plan(services: Bench): Promise<TestPlan> {
  return await planTest(services.services, { file_path: FILE, test_name: 'countsEachItem' });
}

/** The parts of a start to compare: the framework, the class, the project, and the arguments of our runner. */
function reported({ framework, start, stopsFrom }: TestPlan): unknown[] {
  const { mainClass, projectName, classPaths, args } = start.shown as Record<string, unknown>;
  return [framework.id, stopsFrom, mainClass, projectName, classPaths, (args as string[]).slice(2)];
}

describe('a JUnit test', () => {
  it('of version 5 is run by its class and method, in the project that the pom names', async () => {
    assert.deepEqual(reported(await plan(project(JUPITER))), [
      'junit5',
      'shop.CartTest$Counting#countsEachItem',
      'jdk.compiler/com.sun.tools.javac.launcher.Main',
      'shop',
      ['$Test'],
      [
        ['/home/ada/app/src/test/java', '/home/ada/app/src/main/java', '/home/ada/app/src'].join(
          ':',
        ),
        'shop.CartTest$Counting',
        'countsEachItem',
      ],
    ]);
    const newer = project(JUPITER);
    newer.workspace.values.set('env:JAVA_HOME', '/opt/jdk-22');
    assert.match(String(reported(await plan(newer))[2]), /SourceLauncher$/);
  });

  it('of version 4 is recognized by its imports, and a newer Java by its folder', async () => {
    const services = project(JUNIT4);
    const { workspace } = services;
    workspace.values.set('env:PATH', '/bin:/usr/bin');
    workspace.links.set('/usr/bin/java', '/usr/lib/jvm/java-25-openjdk-amd64/bin/java');
    workspace.files.set('/usr/lib/jvm/java-25-openjdk-amd64/bin/java', '');
    const [id, from, main] = reported(await plan(services));
    assert.deepEqual(
      [id, from, main],
      [
        'junit4',
        'CartTest#countsEachItem',
        'jdk.compiler/com.sun.tools.javac.launcher.SourceLauncher',
      ],
    );
  });

  it('shows the compiler’s message if JUnit is not in the class path', () => {
    const said =
      '/home/ada/.scratch/AgentDebuggerRunner.java:4: error: package org.junit does not exist';
    const chosen = { path: ['CartTest', 'adds'], line: 3, isTemplate: false };
    const report = junit5.readOutcome(undefined, [said, 'error: compilation failed'], chosen);
    assert.deepEqual(report.tests, []);
    assert.equal(report.error?.message, 'package org.junit does not exist');
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
