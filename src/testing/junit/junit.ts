import path from 'node:path';
import { adapterOf } from '../../debugger/adapters/registry';
import { onPath } from '../../tools/launch/namedProgram';
import { typeOfLanguage } from '../../tools/launch/programConfiguration';
import type { ToolServices } from '../../tools/services';
import { readOwnReport } from '../report/readReport';
import { REPORT } from '../javascript/reporters';
import { JUNIT4_RUNNER } from './junit4';
import { JUNIT5_RUNNER } from './junit5';
import { JUNIT_RUNNER_FILE } from './junitCommon';
import { scanJava } from '../scan/braces';
import type {
  ChosenTest,
  RunnerContext,
  RunnerPlan,
  RunReport,
  TestFramework,
  TestProject,
} from '../testFramework';

const JUNIT = {
  files: /\.java$/,
  markers: ['pom.xml', 'build.gradle', 'build.gradle.kts', '.classpath'],
  list: scanJava,
  readOutcome,
} satisfies Partial<TestFramework>;

const IMPORTS_JUPITER = /^\s*import\s+(?:static\s+)?org\.junit\.jupiter\./m;
const IMPORTS_JUNIT4 = /^\s*import\s+(?:static\s+)?org\.junit\.(?!jupiter\.|platform\.)/m;

export const junit5: TestFramework = {
  ...JUNIT,
  id: 'junit5',
  title: 'JUnit 5',
  evidence: 'an import of org.junit.jupiter',
  detect: ({ text }) => (IMPORTS_JUPITER.test(text) ? 10 : 0),
  configuration: (context) => junitRun(context, JUNIT5_RUNNER),
};

export const junit4: TestFramework = {
  ...JUNIT,
  id: 'junit4',
  title: 'JUnit 4',
  evidence: 'an import of org.junit',
  detect: ({ text }) => (IMPORTS_JUNIT4.test(text) ? 9 : 0),
  configuration: (context) => junitRun(context, JUNIT4_RUNNER),
};

/**
 * Creates the plan of a run. Java compiles the extension's runner at its start, against the class path of the project's
 * tests. JUnit's own console launcher is rarely in the class path.
 */
async function junitRun(
  { project, test, args, scratch }: RunnerContext,
  runner: string,
): Promise<RunnerPlan> {
  const { services, file, text } = project;
  const type = typeOfLanguage(services, 'java', file);
  const packageName = packageOf(text);
  const className = [packageName, test.path.slice(0, -1).join('$')]
    .filter((part) => part !== '')
    .join('.');
  const method = test.path.at(-1) ?? '';
  const roots = await sourceRoots(project, packageName);
  return {
    configuration: {
      type,
      ...adapterOf(type).testProperties,
      mainClass: `jdk.compiler/com.sun.tools.javac.launcher.${await launcherOf(services)}`,
      projectName: await projectName(project),
      classPaths: ['$Test'],
      // `java` itself adds the first option for a source file. Maven and Gradle enable assertions.
      vmArgs: ['--add-modules=ALL-DEFAULT', '-ea', ...args],
      args: [
        path.join(scratch, JUNIT_RUNNER_FILE),
        path.join(scratch, REPORT),
        roots.join(path.delimiter),
        className,
        method,
      ],
    },
    stopsFrom: `${className}#${method}`,
    files: { [JUNIT_RUNNER_FILE]: runner },
    report: REPORT,
  };
}

export function packageOf(text: string): string {
  return /^\s*package\s+([\w.]+)\s*;/m.exec(text)?.[1] ?? '';
}

/** Returns the name of the class that runs a source file. Java 22 renamed this class. */
async function launcherOf(services: ToolServices): Promise<string> {
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

async function sourceOf(project: TestProject, name: string): Promise<string> {
  const source = await project.services.workspace.readSource(path.join(project.folder, name));
  return source?.lines.join('\n') ?? '';
}

/** Returns the folders that may contain the source of a class of the project. */
async function sourceRoots(project: TestProject, packageName: string): Promise<readonly string[]> {
  const { file, folder } = project;
  const depth = packageName === '' ? 0 : packageName.split('.').length;
  const own = path.resolve(path.dirname(file), ...Array.from({ length: depth }, () => '..'));
  const classPath = await sourceOf(project, '.classpath');
  const listed = [...classPath.matchAll(/<classpathentry\b[^>]*>/g)].flatMap(([entry]) =>
    /\bkind="src"/.test(entry) ? (/\bpath="([^"]+)"/.exec(entry)?.[1] ?? []) : [],
  );
  const usual = ['src/main/java', 'src/test/java', 'src'];
  return [...new Set([own, ...[...listed, ...usual].map((root) => path.join(folder, root))])];
}

/** Returns the project's name in the language server. */
async function projectName(project: TestProject): Promise<string> {
  const [eclipse, pom, ...gradle] = await Promise.all(
    ['.project', 'pom.xml', 'settings.gradle', 'settings.gradle.kts'].map((file) =>
      sourceOf(project, file),
    ),
  );
  return (
    /<name>\s*([^<]+?)\s*<\/name>/.exec(eclipse ?? '')?.[1] ??
    artifactOf(pom ?? '') ??
    /rootProject\.name\s*=\s*['"]([^'"]+)['"]/.exec(gradle.join('\n'))?.[1] ??
    path.basename(project.folder)
  );
}

/** Returns the artifact id of the project itself, not of its parent or its dependencies. */
export function artifactOf(pom: string): string | undefined {
  const own = pom.replace(
    /<!--.*?-->|<(parent|dependencies|dependencyManagement|build|profiles)>.*?<\/\1>/gs,
    '',
  );
  return /<artifactId>\s*([^<]+?)\s*<\/artifactId>/.exec(own)?.[1];
}

/** Matches the compiler's error that occurs if JUnit is not in the class path, or has another version. */
const NOT_COMPILED = /AgentDebuggerRunner\.java:\d+: error: (.*)$/;

function readOutcome(
  report: string | undefined,
  output: readonly string[],
  test: ChosenTest,
): RunReport {
  const result = readOwnReport(report, output, test);
  const compilerError = output
    .map((line) => NOT_COMPILED.exec(line)?.[1])
    .find((text) => text !== undefined);
  if (result.tests.length > 0 || compilerError === undefined) return result;
  return { tests: [], error: { type: undefined, message: compilerError, frames: [], causes: [] } };
}
