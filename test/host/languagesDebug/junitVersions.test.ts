import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { junit5 } from '../../../src/testing/junit/junit';
import { planTest } from '../../../src/testing/planTest';
import { verdictOf } from '../../../src/testing/report/verdict';
import { skip } from '../../support/skip';
import { hasTools, toolPath } from '../../support/toolchain';
import { bench } from '../../unit/support/services';

const ROOT = path.resolve(__dirname, '../../../..');
const JARS = path.join(ROOT, '.vscode-test/junit');
const SOURCES = path.join(ROOT, 'test/fixtures/languages/tests/java/test');
/** The folder of the sources in the workspace of the fakes. */
const FAKE_SOURCES = '/home/ada/app/test';

/** Starts Java as VS Code's debugger for Java does it without debugging. */
async function run(classPath: readonly string[], test: string): Promise<unknown[]> {
  const services = bench();
  const file = `${FAKE_SOURCES}/shop/NamesTest.java`;
  services.workspace.files.set(
    file,
    readFileSync(path.join(SOURCES, 'shop/NamesTest.java'), 'utf8'),
  );
  services.workspace.debuggers = () => [{ type: 'java', label: 'Java', languages: ['java'] }];
  const plan = await planTest(services.services, { file_path: file, test_name: test });
  const folder = mkdtempSync(path.join(tmpdir(), 'agent-debugger-junit-'));
  const real = (line: string): string =>
    line
      .replace(FAKE_SOURCES, SOURCES)
      .replace(services.services.reporters, path.join(ROOT, 'reporters'))
      .replace(services.services.scratch.pathOf(plan.scratch.name), folder);
  try {
    for (const [name, lines] of Object.entries(plan.scratch.files)) {
      const changed = lines
        .split('\n')
        .map((line) => encodeURIComponent(real(decodeURIComponent(line))));
      writeFileSync(path.join(folder, name), changed.join('\n'));
    }
    const { args, vmArgs } = plan.quick as { args: string[]; vmArgs: string[] };
    const { stdout, stderr } = spawnSync(
      toolPath('jdk'),
      [
        ...vmArgs,
        ...['-cp', classPath.join(path.delimiter)],
        ...['-m', 'jdk.compiler/com.sun.tools.javac.launcher.Main', ...args.map(real)],
      ],
      { encoding: 'utf8' },
    );
    const report = path.join(folder, plan.scratch.report);
    assert.ok(existsSync(report), `${stdout}${stderr}`);
    const read = junit5.readOutcome(readFileSync(report, 'utf8'), [], plan.test);
    const { outcome, error, others, toolFailure } = verdictOf(read, plan);
    const [frame] = error?.frames ?? [];
    return [outcome, error?.message, frame?.variables?.[0], others, toolFailure];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const jarsIn = (folder: string): readonly string[] =>
  readdirSync(folder).map((name) => path.join(folder, name));

describe('JUnit', function () {
  this.timeout(300_000);
  let classes = '';

  before(function () {
    if (!hasTools('jdk')) skip(this, 'Java needs npm run adapters:setup');
    if (!existsSync(JARS))
      skip(this, 'several versions of JUnit need npm run test-runners:setup, with mvn');
    classes = mkdtempSync(path.join(tmpdir(), 'agent-debugger-classes-'));
  });
  after(() => {
    if (classes !== '') rmSync(classes, { recursive: true, force: true });
  });

  for (const version of ['5.11.4', '5.12.2', '5.13.4', '5.14.4', '6.0.0'])
    it(`${version} runs tests by its launcher and without it, with values`, async () => {
      const jars = jarsIn(path.join(JARS, version, 'lib'));
      const target = path.join(classes, version);
      mkdirSync(target);
      const { status, stderr } = spawnSync(
        path.join(path.dirname(toolPath('jdk')), 'javac'),
        [
          '-g',
          '-d',
          target,
          '-cp',
          jars.join(path.delimiter),
          ...['NamesTest', 'BaseTest'].map((type) => path.join(SOURCES, `shop/${type}.java`)),
        ],
        { encoding: 'utf8' },
      );
      assert.equal(status, 0, stderr);
      const expected = [
        'failed',
        'price -2 ==> expected: <true> but was: <false>',
        { name: 'price', value: '-2' },
        { passed: 2 },
        undefined,
      ];
      assert.deepEqual(await run([target, ...jars], 'adds'), expected);
      const launcher = jarsIn(path.join(JARS, version, 'launcher'));
      assert.deepEqual(await run([target, ...jars, ...launcher], 'adds'), expected);
    });
});
