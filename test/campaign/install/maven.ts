import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { succeed } from '../command';
import type { Installed } from '../project';
import { inTemporary } from './archives';

/** The plugin that runs the tests. The oldest version that knows JUnit 6. */
const SUREFIRE = '3.5.4';

/** Installs the jars of sources and of test sources as a Maven project with the JUnit of the catalogue. */
export async function installMaven({ project, folder }: Installed): Promise<void> {
  for (const [classifier, kind] of [
    ['sources', 'main'],
    ['test-sources', 'test'],
  ] as const)
    await inTemporary(async (temporary) => {
      writeFileSync(path.join(temporary, 'pom.xml'), pomOf('fetch', []));
      const jar = `-Dartifact=${project.package ?? ''}:jar:${classifier}`;
      const args = ['-q', '-B', 'dependency:copy', jar, '-DoutputDirectory=jars'];
      await succeed({ program: 'mvn', args, cwd: temporary });
      const [file = ''] = readdirSync(path.join(temporary, 'jars'));
      const unzip = ['-qo', path.join('jars', file), '-d', 'unpacked', '-x', 'META-INF/*'];
      await succeed({ program: 'unzip', args: unzip, cwd: temporary });
      sortFiles(path.join(temporary, 'unpacked'), path.join(folder, 'src', kind));
    });
  writeFileSync(path.join(folder, 'pom.xml'), pomOf(project.name, project.with ?? []));
  // The plugins and what they load at run time are fetched here: the campaign runs without the registry.
  await succeed(
    {
      program: 'mvn',
      args: ['-q', '-B', 'test', '-Dmaven.test.failure.ignore', `-Dtest=${project.tests[0] ?? ''}`],
      cwd: folder,
    },
    900_000,
  );
}

/** Maven expects sources and other files in folders of their own. */
function sortFiles(from: string, to: string): void {
  const entries = readdirSync(from, { withFileTypes: true, recursive: true });
  for (const entry of entries.filter((each) => each.isFile())) {
    const file = path.join(entry.parentPath, entry.name);
    const root = entry.name.endsWith('.java') ? 'java' : 'resources';
    const target = path.join(to, root, path.relative(from, file));
    mkdirSync(path.dirname(target), { recursive: true });
    cpSync(file, target);
  }
}

/** @param packages coordinates of packages, JUnit first. The project and its tests are built with the same ones. */
function pomOf(name: string, packages: readonly string[]): string {
  const dependencies = packages.map((coordinates) => {
    const [group = '', artifact = '', version = ''] = coordinates.split(':');
    return `    <dependency>
      <groupId>${group}</groupId>
      <artifactId>${artifact}</artifactId>
      <version>${version}</version>
    </dependency>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <!-- junit ${packages[0]?.split(':').at(-1) ?? ''} -->
  <modelVersion>4.0.0</modelVersion>
  <groupId>campaign</groupId>
  <artifactId>${name}</artifactId>
  <version>1</version>
  <properties>
    <maven.compiler.source>17</maven.compiler.source>
    <maven.compiler.target>17</maven.compiler.target>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies>
${dependencies.join('\n')}
  </dependencies>
  <build>
    <plugins>
      <plugin>
        <groupId>org.apache.maven.plugins</groupId>
        <artifactId>maven-surefire-plugin</artifactId>
        <version>${SUREFIRE}</version>
      </plugin>
    </plugins>
  </build>
</project>
`;
}
