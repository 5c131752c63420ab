import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { Failure } from '../../results/failure';
import { onPath } from '../../tools/launch/namedProgram';
import { typeOfLanguage } from '../../tools/launch/programConfiguration';
import type { RunReport } from '../runReport';
import type { ChosenTest, TestFramework, TestProject } from '../testFramework';
import { readJUnitXml } from './junitXml';
import { scanPhp } from './scanPhp';

const REPORT = 'report.xml';
/** The places of the runner in a project, the most usual first. */
const RUNNERS = ['vendor/bin/phpunit', 'bin/phpunit', 'tools/phpunit', 'phpunit.phar'];
/** What Xdebug needs to connect to VS Code. The extension inserts the port. */
const DEBUGGED = [
  ...['-dxdebug.mode=debug', '-dxdebug.start_with_request=yes'],
  '-dxdebug.client_port=${port}',
];

export const phpunit: TestFramework = {
  id: 'phpunit',
  title: 'PHPUnit',
  files: /\.php$/,
  markers: ['composer.json', 'phpunit.xml', 'phpunit.xml.dist'],
  evidence: 'PHPUnit or TestCase in the file, or a name that ends with Test.php',
  detect: ({ text, file }) => {
    if (/\bPHPUnit\\|\bextends\s+[\w\\]*TestCase\b/.test(text)) return 10;
    return file.endsWith('Test.php') ? 6 : 0;
  },
  list: scanPhp,
  configuration: async ({ project, test, args, scratch }) => {
    const type = typeOfLanguage(project.services, 'php', project.file);
    return {
      configuration: {
        type,
        program: await runnerOf(project),
        args: [
          ...['--log-junit', path.join(scratch, REPORT), '--filter', filterOf(test)],
          ...[...args, project.file],
        ],
        port: 0,
        runtimeArgs: DEBUGGED,
      },
      quick: { runtimeArgs: [] },
      files: {},
      report: REPORT,
    };
  },
  readOutcome,
};

/** @throws Failure `runner_not_installed` */
async function runnerOf({ services, folder }: TestProject): Promise<string> {
  for (const name of RUNNERS) {
    const file = path.join(folder, name);
    if ((await services.workspace.exists(file)) === true) return file;
  }
  const found = await onPath(services, 'phpunit');
  if (found !== undefined) return found;
  throw new Failure(
    'runner_not_installed',
    l10n.t('{0} is not installed in {1}.', 'PHPUnit', folder),
    'Install it there with Composer, or pass another framework.',
    { package: 'phpunit/phpunit' },
  );
}

/** Returns the pattern of names as PHPUnit has them: `Class::testName with data set "row"`. */
function filterOf({ path: names, line }: ChosenTest): string {
  // What PHPUnit prints behind the name of a data set are its values.
  const given = names.join('::').replace(/( with data set (?:#\d+|"[^"]*")) \(.*$/s, '$1');
  const escaped = given.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
  const rows = given.includes(' with data set ') ? '' : '(?: with data set .*)?';
  const before = line === undefined && !given.includes('::') ? '(?:^|::)' : '(?:^|\\\\)';
  return `/${before}${escaped}${rows}$/`;
}

/** The begin of an error that PHP prints when a file cannot be loaded, or when nothing catches an exception. */
const FATAL = /^(?:PHP )?(?:Fatal|Parse) error: +(?=\S)/;
const AT_LINE = /(?::| on line )(\d{1,9})$/;

/** Returns the message of such an error, and its place. */
function fatalIn(text: string): Readonly<Record<'message' | 'file' | 'line', string>> | undefined {
  const [begin] = FATAL.exec(text) ?? [];
  const [end, line = ''] = AT_LINE.exec(text) ?? [];
  if (begin === undefined || end === undefined) return undefined;
  const between = text.slice(begin.length, -end.length);
  const at = between.search(/ in (?:\/|[A-Za-z]:)/);
  if (at < 1) return undefined;
  return { message: between.slice(0, at), file: between.slice(at + ' in '.length), line };
}

function readOutcome(report: string | undefined, output: readonly string[]): RunReport {
  const tests = readJUnitXml(report ?? '');
  const [fatal] = output.flatMap((line) => fatalIn(line) ?? []);
  if (fatal === undefined || tests.length > 0) return { tests };
  const { message, file, line } = fatal;
  const frames = [{ path: file, line: Number(line), name: '' }];
  return { tests, error: { type: undefined, message, frames, causes: [], isPrinted: true } };
}
