import path from 'node:path';
import { adapterOf } from '../../debugger/adapters/registry';
import { typeOfLanguage } from '../../tools/launch/programConfiguration';
import { readOwnReport } from '../report/readReport';
import { REPORT } from '../javascript/reporters';
import { testOptionsOf } from './pom';
import { launcherOf, packageOf, projectName, sourceRoots, textIn } from './javaProject';
import { scanJava } from './scanJava';
import type { RunReport } from '../runReport';
import type {
  ChosenTest,
  RunnerContext,
  RunnerPlan,
  ScannedTest,
  TestFramework,
  TestProject,
} from '../testFramework';

/** The file in the scratch folder that holds what our runner needs. */
const RUN = 'run.txt';
/** The options of the process that starts the test. It needs all modules of the JDK, and only a short time. */
const MODULES = '--add-modules=ALL-DEFAULT';
const SHORT = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];
/** The function of our runner that is called right before JUnit runs the test. */
const BEGIN = 'agentdebugger.Hooks#started';
const DEFAULT_SECONDS = 60;

const JUNIT = {
  files: /\.java$/,
  markers: ['pom.xml', 'build.gradle', 'build.gradle.kts', '.classpath'],
  list: scanJava,
  named,
  runsOnce: true,
  readOutcome,
} satisfies Partial<TestFramework>;

const IMPORTS_JUPITER = /^[ \t]*import[ \t]+(?:static[ \t]+)?org\.junit\.jupiter\./m;
const IMPORTS_JUNIT4 = /^[ \t]*import[ \t]+(?:static[ \t]+)?org\.junit\.(?!jupiter\.|platform\.)/m;

export const junit5: TestFramework = {
  ...JUNIT,
  id: 'junit5',
  title: 'JUnit 5',
  evidence: 'an import of org.junit.jupiter, junit-jupiter in pom.xml or build.gradle',
  detect: async (project) => {
    if (IMPORTS_JUPITER.test(project.text)) return 10;
    // A class may inherit its tests.
    return (await isInBuild(project, 'junit-jupiter')) ? 3 : 0;
  },
  configuration: (context) => junitRun(context, 'JUnit5'),
};

export const junit4: TestFramework = {
  ...JUNIT,
  id: 'junit4',
  title: 'JUnit 4',
  evidence: 'an import of org.junit, junit:junit in pom.xml or build.gradle',
  detect: async (project) => {
    if (IMPORTS_JUNIT4.test(project.text)) return 9;
    return (await isInBuild(project, '<artifactId>junit<', 'junit:junit:')) ? 2 : 0;
  },
  configuration: (context) => junitRun(context, 'JUnit4'),
};

async function isInBuild(project: TestProject, ...names: readonly string[]): Promise<boolean> {
  const files = ['pom.xml', 'build.gradle', 'build.gradle.kts'];
  const texts = await Promise.all(files.map((file) => textIn(project, file)));
  return texts.some((text) => names.some((name) => text.includes(name)));
}

/** Hands names with parts that only JUnit's plan explains to our runner: a package, parameters, or a row. */
function named(name: string, scanned: readonly ScannedTest[]): ChosenTest | undefined {
  if (!/[#$([{]/.test(name)) return undefined;
  const method = /(?<!\w)([A-Za-z_]\w*)\s*(?:[([{]|$)/.exec(name)?.[1];
  const [only, ...others] = scanned.filter(
    ({ kind, path: names }) => kind === 'test' && names.at(-1) === method,
  );
  const place = others.length === 0 ? { line: only?.line, endLine: only?.endLine } : {};
  return { path: [name], line: undefined, ...place, isTemplate: false };
}

/**
 * Creates the plan of a run. Java compiles the extension's runner at its start, against the class path of the project's
 * tests. Without a debugger, the runner starts the test in a process of its own, whose values it reads.
 */
async function junitRun(
  { project, test, args, scratch, seconds }: RunnerContext,
  runner: 'JUnit4' | 'JUnit5',
): Promise<RunnerPlan> {
  const { services, file } = project;
  const type = typeOfLanguage(services, 'java', file);
  const sources = path.join(services.reporters, 'java', 'agentdebugger');
  const started = [path.join(sources, 'Start.java'), scratch];
  const own = testOptionsOf(await textIn(project, 'pom.xml'), project.folder);
  const options = ['-ea', ...own.vmArgs, ...args];
  const lines = [
    ...[sources, REPORT, String(seconds ?? DEFAULT_SECONDS), runner],
    ...[(await sourceRoots(project)).join(path.delimiter), classesOf(project, test).join(',')],
    ...[test.path.join(' > '), ...options],
  ];
  return {
    configuration: {
      type,
      ...adapterOf(type).testProperties,
      mainClass: `jdk.compiler/com.sun.tools.javac.launcher.${await launcherOf(services)}`,
      projectName: await projectName(project),
      classPaths: ['$Test'],
      // `java` itself adds the first option for a source file. Maven and Gradle enable assertions.
      vmArgs: [MODULES, ...options],
      ...(Object.keys(own.env).length === 0 ? {} : { env: own.env }),
      args: [...started, 'here'],
    },
    quick: { vmArgs: [MODULES, ...SHORT], args: [...started, 'apart'] },
    stopsFrom: BEGIN,
    files: { [RUN]: lines.map(encodeURIComponent).join('\n') },
    report: REPORT,
  };
}

/** Returns the classes that may contain a test: its own class, or for a name alone all classes of the file. */
function classesOf({ text, file }: TestProject, test: ChosenTest): readonly string[] {
  const packageName = packageOf(text);
  const named = test.path.length > 1 ? [test.path.slice(0, -1)] : [];
  const all = scanJava(text).filter(({ kind }) => kind === 'suite');
  const paths = named.length > 0 ? named : all.map(({ path: names }) => names);
  const names = paths.length > 0 ? paths : [[path.basename(file, '.java')]];
  return names.map((parts) =>
    [packageName, parts.join('$')].filter((part) => part !== '').join('.'),
  );
}

/** Matches the compiler's error about the first file of our runner. */
const NOT_COMPILED = /\bStart\.java:\d+: error: ([^]*)$/;

function readOutcome(
  report: string | undefined,
  output: readonly string[],
  test: ChosenTest,
): RunReport {
  const result = readOwnReport(report, output, test);
  if (report !== undefined) return result;
  const compilerError = output
    .map((line) => NOT_COMPILED.exec(line)?.[1])
    .find((text) => text !== undefined);
  return compilerError === undefined ? result : { tests: [], toolFailure: compilerError };
}
