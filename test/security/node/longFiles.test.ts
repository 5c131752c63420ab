import { strict as assert } from 'node:assert';
import { functionsIn } from '../../../src/tools/trace/function/source/functionsIn';
import { MAX_SCANNED } from '../../../src/util/projectText';
import { longestBlock, slowness } from '../../support/processor';
import { ask } from '../../unit/support/asking';
import { bench, type Bench } from '../../unit/support/services';

/**
 * The longest processor time in milliseconds for which a call may block the extension host, on the machine on which
 * `slowness` is 1.
 */
const MAX_BLOCKED = 300;

/** The calls of which the quickest counts. */
const CALLS = 5;

const FOLDER = '/home/ada/app';

/** What a hostile file repeats, for all languages. */
const PUMPS: Readonly<Record<string, string>> = {
  'blank lines': '\n',
  spaces: ' ',
  tabs: '\t',
  parentheses: '(',
  braces: '{',
  brackets: '[',
  'double quotes': '"',
  'single quotes': "'",
  backticks: '`',
  backslashes: '\\',
  slashes: '/',
  comments: '/*',
  'lines of closing brackets': ')\n',
  'imports without an end': 'import ',
  'lines of imports': 'import \n',
  'long words': 'a',
  commas: 'a,',
  annotations: '@Test ',
  angles: '<a>(',
};

/** What it repeats in one language. */
const LANGUAGES: Readonly<Record<string, readonly string[]>> = {
  js: ["it('a', () => {", 'it(', 'test.each`', "describe('a', b => ", 'a => {', '${', 'async('],
  ts: ["it('a', () => {", '<T>(', 'a<b>(', 'async <T>(', 'class A { ', 'type A = '],
  tsx: ['<a>', '<a b={', '<T,>('],
  py: ['def test_a():\n', 'class A:\n', 'def test_a(): pass\n)\n', '"""', 'from unittest ', '@a\n'],
  go: [
    'func TestA(',
    'func TestA() {\n',
    'func (s *S) TestA() {\n',
    'func (s *S) TestA()\n',
    't.Run("a", ',
    '//go:build a\n',
  ],
  cc: ['TEST(A, B)\n', 'TEST(', '#include <a>\n', 'TEST(A,\n'],
  rs: ['#[test]', '#[test]\n', '#[test] fn a() {', '#[', 'mod a {', 'fn a() {', 'pub(', '#[cfg('],
  java: ['class A {', '@Test void a() {', 'package a', '@', 'import org.junit.\n', 'enum '],
  rb: ['describe "a" do\n', 'class A\n', 'def test_a\n', '#{'],
  php: ['function testA() {', 'class A {', '#[Test] function a ', '/** @test */', '<?php '],
};

/** The framework of each language, if the file does not show it. */
const FRAMEWORKS: Readonly<Record<string, string>> = {
  ...{ js: 'mocha', ts: 'vitest', tsx: 'jest', py: 'pytest', go: 'go_test', cc: 'googletest' },
  ...{ rs: 'cargo_test', java: 'junit5', rb: 'rspec', php: 'phpunit' },
};

function project(file: string, text: string): Bench {
  const on = bench();
  Object.assign(on.workspace, {
    folders: [{ name: 'app', path: FOLDER, index: 0 }],
  });
  on.workspace.files.set(file, text);
  on.workspace.files.set(`${FOLDER}/package.json`, '{"devDependencies":{"mocha":"1"}}');
  on.workspace.files.set(`${FOLDER}/composer.json`, '{"require-dev":{"phpunit/phpunit":"1"}}');
  return on;
}

/**
 * The longest block by the quickest of some calls, of which each is long if one is: the memory is cleaned up at any time. If all
 * are too long, the time is divided by the slowness of this machine.
 */
async function alwaysBlocked(most: number, call: () => Promise<unknown>): Promise<number> {
  let least = Infinity;
  for (let time = 0; time < CALLS && least > most; time += 1)
    least = Math.min(least, await longestBlock(call));
  return least > most ? least / slowness() : least;
}

/** A text that repeats a part, as a hostile project would have it. */
const textOf = (pump: string, length: number): string =>
  pump.repeat(Math.ceil(length / pump.length)).slice(0, length);

describe('a long file of a project', function () {
  this.timeout(300_000);

  for (const [extension, own] of Object.entries(LANGUAGES)) {
    const file = `${FOLDER}/test/a_test.${extension}`;
    const pumps = [...Object.entries(PUMPS), ...own.map((pump) => [pump, pump] as const)];

    it(`does not block the host as ${extension}`, async () => {
      // The first call loads the parser.
      await ask(project(file, 'a'), 'debug_test', { file_path: file, test_name: 'a' });
      const slow: string[] = [];
      for (const [name, pump] of pumps)
        for (const length of [20_000, 50_000, MAX_SCANNED, 2_000_000])
          for (const call of [
            { test_name: 'no such' },
            { line: 3, framework: FRAMEWORKS[extension] },
          ]) {
            const text = textOf(pump, length);
            const input = { file_path: file, ...call };
            const time = await alwaysBlocked(MAX_BLOCKED, () =>
              ask(project(file, text), 'debug_test', input),
            );
            if (time > MAX_BLOCKED) slow.push(`${length} of ${name}: ${Math.round(time)} ms`);
          }
      assert.deepEqual(slow, []);
    });
  }

  it('does not block the host if its parser would never end, and is given up once', async () => {
    for (const [extension, pump] of [
      ['ts', 'async <T>('],
      ['tsx', '<T,>('],
    ] as const) {
      const file = `${FOLDER}/test/a.test.${extension}`;
      const text = textOf(pump, 500);
      const call = (): Promise<unknown> =>
        ask(project(file, text), 'debug_test', { file_path: file, test_name: 'a' });
      for (const time of ['first', 'second'] as const) {
        const begin = performance.now();
        const blocked = (await longestBlock(call)) / slowness();
        assert.ok(blocked < MAX_BLOCKED, `${time}: ${blocked} ms`);
        // The text is given up after 6 s, or up to 18 s on a busy machine.
        if (time === 'second') assert.ok(performance.now() - begin < 5000);
      }
    }
  });

  it('does not block the host if a grammar is slow with it', async () => {
    for (const [extension, pump] of [
      ['cpp', '('],
      ['cpp', '{'],
      ['cs', '{'],
      ['go', 'fn f(){'],
      ['java', '{'],
      ['php', '('],
      ['php', '{'],
      ['rb', '('],
      ['rs', '(('],
    ] as const) {
      const file = `${FOLDER}/a.${extension}`;
      const text = textOf(pump, MAX_SCANNED);
      const call = async (): Promise<unknown> => await functionsIn(file, text);
      // The first call loads the grammar.
      await functionsIn(file, 'a');
      const first = (await longestBlock(call)) / slowness();
      assert.ok(first < MAX_BLOCKED, `${extension} ${pump}: ${first} ms`);
    }
  });

  it('is refused with its limit if it is too long', async () => {
    const file = `${FOLDER}/test/a_test.py`;
    const on = project(file, textOf('\n', 2_000_000));
    const answer = await ask(on, 'debug_test', { file_path: file, test_name: 'a' });
    assert.equal(answer['code'], 'file_not_text');
    assert.match(String(answer['hint']), /512 kB/);
  });
});
