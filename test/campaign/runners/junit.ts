import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { localsOfLine } from '../locals';
import type { Installed, Place, TruthTest } from '../project';
import type { Broken, Runner } from './runner';

const ROOTS = ['src/main/java', 'src/test/java'];

/** Reads a report of Surefire, Maven's plugin that runs JUnit. */
export function readSurefire(installed: Installed, xml: string): readonly TruthTest[] {
  const cases = /<testcase name="([^"]*)" classname="([^"]*)"[^>]*?(?:\/>|>([^]*?)<\/testcase>)/g;
  return [...xml.matchAll(cases)].flatMap(([, rawName = '', className = '', body = '']) => {
    if (/<skipped\b/.test(body)) return [];
    const name = unescaped(rawName);
    const common = {
      name: `${className.split('.').at(-1) ?? ''}.${name}`,
      file: path.join(
        installed.folder,
        'src/test/java',
        `${className.replace(/\$.*/, '').replaceAll('.', '/')}.java`,
      ),
      selector: [className, name],
    };
    const [, attributes, stack] =
      /<(?:failure|error)\b([^>]*)>([^]*?)<\/(?:failure|error)>/.exec(body) ?? [];
    if (attributes === undefined) return { ...common, verdict: 'passed' as const };
    const at = placeIn(installed, stack ?? '');
    return {
      ...common,
      verdict: 'failed' as const,
      message: unescaped(/message="([^"]*)"/.exec(attributes)?.[1] ?? ''),
      at,
      locals: at === undefined ? undefined : localsOfLine(at),
    };
  });
}

function unescaped(text: string): string {
  return text
    .replace(/&#(\d+);/g, (_whole, code: string) => String.fromCodePoint(Number(code)))
    .replace(/&(quot|lt|gt|apos|amp);/g, (_whole, name: string) => ENTITIES[name] ?? '');
}

const ENTITIES: Readonly<Record<string, string>> = {
  quot: '"',
  lt: '<',
  gt: '>',
  apos: "'",
  amp: '&',
};

/** The innermost frame whose class has a source in the project. */
function placeIn({ folder }: Installed, stack: string): Place | undefined {
  for (const [, className = '', file = '', line] of stack.matchAll(
    /^\s*at (?:[\w.@]+\/)?([\w.$]+)\.[\w$<>]+\(([\w$]+\.java):(\d+)\)/gm,
  )) {
    const inner = path.join(className.split('.').slice(0, -1).join('/'), file);
    const found = ROOTS.map((root) => path.join(folder, root, inner)).find((each) =>
      existsSync(each),
    );
    if (found !== undefined) return { file: found, line: Number(line) };
  }
  return undefined;
}

const REPORTS = 'target/surefire-reports';

/** @param tests classes or `class#method` */
function maven(folder: string, tests: string) {
  return {
    program: 'mvn',
    args: [
      '-o',
      '-q',
      '-B',
      'test',
      '-DtrimStackTrace=false',
      '-Dsurefire.failIfNoSpecifiedTests=false',
      `-Dtest=${tests}`,
    ],
    cwd: folder,
  };
}

export const junit: Runner = {
  builds: true,
  whole: ({ project, folder }) => {
    rmSync(path.join(folder, REPORTS), { recursive: true, force: true });
    return maven(folder, project.tests.join(','));
  },
  read: (installed, _text, { stdout }): readonly TruthTest[] | Broken => {
    const reports = path.join(installed.folder, REPORTS);
    if (!existsSync(reports)) return { broken: stdout.slice(0, 500) };
    return readdirSync(reports)
      .filter((file) => /^TEST-.*\.xml$/.test(file))
      .flatMap((file) => readSurefire(installed, readFileSync(path.join(reports, file), 'utf8')));
  },
  one: ({ folder }, { selector: [className = '', name = ''] }) =>
    maven(folder, `${className}#${/^[\w$]+/.exec(name)?.[0] ?? name}`),
  version: ({ folder }) => ({
    program: 'sh',
    args: ['-c', "sed -n 's/.*<!-- junit \\(.*\\) -->.*/\\1/p' pom.xml"],
    cwd: folder,
  }),
};
