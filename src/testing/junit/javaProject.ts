import { scannedIfAny } from '../../tools/files/scannedText';
import path from 'node:path';
import { onPath } from '../../tools/launch/namedProgram';
import type { ToolServices } from '../../tools/services';
import { JAVA, maskText } from '../scan/maskText';
import { artifactOf } from './pom';
import type { TestProject } from '../testFramework';

/** The maximum number of parents of a Maven project whose modules are read. */
const MAX_PARENTS = 3;
const USUAL_ROOTS = ['src/main/java', 'src/test/java'];

export function packageOf(text: string): string {
  return /\bpackage\s+([\w.]+)\s*;/.exec(maskText(text, JAVA))?.[1] ?? '';
}

/** Returns the name of the class that runs a source file. Java 22 renamed this class. */
export async function launcherOf(services: ToolServices): Promise<string> {
  const { workspace } = services;
  const home = workspace.variable('env', 'JAVA_HOME', undefined) ?? '';
  const found = home === '' ? await onPath(services, 'java') : undefined;
  const real = found === undefined ? undefined : await workspace.program(found);
  return javaVersion(real?.path ?? home) >= 22 ? 'SourceLauncher' : 'Main';
}

/**
 * Returns the version in a path such as `/usr/lib/jvm/java-17-openjdk-amd64/bin/java` or `jdk-21.0.2`. Returns 0 if the
 * path has none.
 */
export function javaVersion(home: string): number {
  const versions = home.split(/[\\/]/).flatMap((part) => /^\D*(\d+)/.exec(part)?.[1] ?? []);
  return Number(versions.at(-1) ?? 0);
}

export async function textIn(project: TestProject, ...names: readonly string[]): Promise<string> {
  const file = path.join(project.folder, ...names);
  return (await scannedIfAny(project.services.workspace, file)) ?? '';
}

/** Returns the folders that may contain the source of a class of the project, or of its sibling modules. */
export async function sourceRoots(project: TestProject): Promise<readonly string[]> {
  const { file, folder, text } = project;
  const packageName = packageOf(text);
  const depth = packageName === '' ? 0 : packageName.split('.').length;
  const own = path.resolve(path.dirname(file), ...Array.from({ length: depth }, () => '..'));
  const classPath = await textIn(project, '.classpath');
  const listed = [...classPath.matchAll(/<classpathentry\b[^<>]*>/g)].flatMap(([entry]) =>
    /\bkind="src"/.test(entry) ? (/\bpath="([^"]+)"/.exec(entry)?.[1] ?? []) : [],
  );
  const pom = await textIn(project, 'pom.xml');
  const configured = [...pom.matchAll(/<(?:testS|s)ourceDirectory>([^<>]*)</g)].map(
    ([, root = '']) => root.trim().replace(/^\$\{(?:project\.)?basedir\}[\\/]/, ''),
  );
  const inside = [...listed, ...configured, ...USUAL_ROOTS, 'src'];
  const beside = pom === '' ? [] : await siblingsOf(project);
  return [
    ...new Set([
      own,
      ...inside.map((root) => path.resolve(folder, root)),
      ...beside.flatMap((module) => USUAL_ROOTS.map((root) => path.join(module, root))),
    ]),
  ];
}

/** Returns the folders of the modules of a Maven project's parents. */
async function siblingsOf(project: TestProject): Promise<readonly string[]> {
  const found: string[] = [];
  for (let up = 1, above = '..'; up <= MAX_PARENTS; up += 1, above = path.join('..', above)) {
    const pom = await textIn(project, above, 'pom.xml');
    if (pom === '') break;
    for (const [, name = ''] of pom.matchAll(/<module>([^<>]*)</g))
      found.push(path.resolve(project.folder, above, name.trim()));
  }
  return found.filter((folder) => folder !== project.folder);
}

/** Returns the project's name in the language server. */
export async function projectName(project: TestProject): Promise<string> {
  const [eclipse = '', pom = '', ...gradle] = await Promise.all(
    ['.project', 'pom.xml', 'settings.gradle', 'settings.gradle.kts'].map((name) =>
      textIn(project, name),
    ),
  );
  return (
    /<name>([^<>]*)<\/name>/.exec(eclipse)?.[1]?.trim() ??
    artifactOf(pom) ??
    /\brootProject\.name\s*=\s*['"]([^'"\n]+)['"]/.exec(gradle.join('\n'))?.[1] ??
    path.basename(project.folder)
  );
}
