import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { isAtLeast } from '../../support/toolchain';
import {
  call,
  cleanUp,
  inWorkspace,
  marked,
  stopOf,
  switchLive,
  until,
  type Answer,
} from '../support/client';
import { LANGUAGES, skipWhereMissing } from './language';

const WAIT = { timeout_seconds: 120 };
const PROGRAMS = [
  { name: 'Node', source: 'live/input/echo.js' },
  { name: 'Python', source: 'live/input/echo.py' },
  { name: 'C++', source: 'live/input/echo.cpp' },
  { name: 'Go', source: 'live/input/go/main.go' },
  { name: 'Java', source: 'java/src/Echo.java' },
] as const;

/** Opens a first terminal. It takes long on a busy machine, and java-debug waits ten seconds for its terminal. */
async function warmUpTerminals(): Promise<void> {
  const terminal = vscode.window.createTerminal();
  assert.ok((await terminal.processId) !== undefined);
  terminal.dispose();
}

describe('the standard input of a program', function () {
  this.timeout(300_000);
  let folder = '';

  before(async () => {
    folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'agent-debugger-')));
    await switchLive(true);
  });
  afterEach(cleanUp);
  after(async () => {
    await switchLive(false);
    rmSync(folder, { recursive: true });
  });

  const needs = (context: Mocha.Context, name: string): void => {
    const language = LANGUAGES.find((each) => each.name === name);
    assert.ok(language);
    skipWhereMissing(context, language);
    if (process.platform !== 'linux') context.skip();
    if (name === 'Go' && !isAtLeast('delve', '1.26')) context.skip();
  };
  const programOf = (source: string): string => {
    const file = inWorkspace(source);
    if (!source.endsWith('.cpp')) return file;
    const program = path.join(folder, 'echo');
    assert.equal(spawnSync('g++', ['-g', '-O0', '-o', program, file]).status, 0);
    return program;
  };
  /** Resolves when the program has printed a line. */
  const printed = async (line: string): Promise<void> =>
    await until(
      (model) =>
        [...model.state.sessions.values()].some((each) =>
          model
            .output(each)
            .read({ since: 0 })
            .some(({ text }) => text.trim() === line),
        ),
      `it prints ${line}`,
    );
  /** What the program of the newest session has read, once it has printed its last line. */
  const gotByTheLast = async (): Promise<readonly string[]> => {
    let lines: readonly string[] = [];
    await until((model) => {
      const newest = [...model.state.sessions.values()].at(-1);
      const texts = newest === undefined ? [] : model.output(newest).read({ since: 0 });
      const all = texts.flatMap(({ text }) => text.split(/\r?\n/));
      lines = all.filter((text) => /^got |^end$/.test(text));
      return lines.includes('end');
    }, 'it prints its last line');
    return lines;
  };
  const linesOf = (answer: Answer): string => JSON.stringify(answer['output'] ?? answer);

  describe('at a restart', () => {
    const program = 'live/input/echo.py';

    /** Starts the program up to its first line, and starts it again up to the same. */
    const startTwice = async (context: Mocha.Context, input: object): Promise<void> => {
      needs(context, 'Python');
      await call('set_breakpoint', { file_path: program, line_number: marked(program, 'got') });
      const first = await call('start_debugging', { program, ...input, ...WAIT });
      assert.equal(stopOf(first).line, marked(program, 'got'), JSON.stringify(first));
      const { session_id: earlier } = stopOf(first);
      if ('stdin_open' in input) await call('send_input', { text: 'for the first one', ...WAIT });
      const second = await call('restart_debugging', WAIT);
      assert.equal(stopOf(second).line, marked(program, 'got'), JSON.stringify(second));
      assert.notEqual(stopOf(second).session_id, earlier);
      await call('remove_breakpoint', { clear_all: true });
    };

    it('Python: is the same file again', async function () {
      await startTwice(this, { stdin_file: 'live/input/two lines.txt' });
      const ended = await call('continue_debugging', WAIT);
      assert.equal(ended.status, 'completed', JSON.stringify(ended));
      assert.deepEqual(await gotByTheLast(), ['got one', 'got two', 'end']);
    });

    it('Python: begins as it did at first, without what was sent later', async function () {
      await startTwice(this, { stdin: 'first\n', stdin_open: true });
      assert.equal((await call('continue_debugging', { timeout_seconds: 1 })).status, 'timeout');
      await call('send_input', { text: 'for the second one', ...WAIT });
      const ended = await call('send_input', { eof: true, ...WAIT });
      assert.equal(ended.status, 'completed', JSON.stringify(ended));
      assert.deepEqual(await gotByTheLast(), ['got first', 'got for the second one', 'end']);
    });
  });

  for (const { name, source } of PROGRAMS) {
    const touched = (): string => path.join(folder, `touched-${path.extname(source).slice(1)}`);
    /** Arguments that a shell must not parse. */
    const hostile = (): readonly string[] => [
      `$(touch ${touched()})`,
      `a;touch ${touched()}`,
      '`id`',
    ];
    const checkArguments = async (): Promise<void> => {
      await printed(`args ${JSON.stringify(hostile())}`);
      assert.ok(!existsSync(touched()), 'a shell has run an argument');
    };

    // For Java, both ways are the same redirection, and a program in a terminal takes long.
    if (name !== 'Java')
      it(`${name}: is the text of the call, and no character of it or of the arguments runs`, async function () {
        needs(this, name);
        const started = await call('start_debugging', {
          ...{ program: programOf(source), args: hostile(), ...WAIT },
          stdin: `one\n$(touch ${touched()}) 'two' "x"\nlast`,
        });
        assert.equal(started.status, 'completed', JSON.stringify(started));
        for (const line of [`got $(touch ${touched()}) 'two' "x"`, 'got last', 'end'])
          await printed(line);
        await checkArguments();
      });

    it(`${name}: takes more from send_input, up to a breakpoint and to its end`, async function () {
      needs(this, name);
      if (name === 'Java') await warmUpTerminals();
      const started = await call('start_debugging', {
        ...{ program: programOf(source), stdin: 'first\n', stdin_open: true, ...WAIT },
        ...{ args: hostile(), output_pattern: 'got first' },
      });
      assert.ok(started['matched'] !== undefined, JSON.stringify(started));
      await checkArguments();
      const second = await call('send_input', { text: 'second', ...WAIT });
      assert.equal(second.status, 'success', JSON.stringify(second));
      assert.match(linesOf(second), /got second/);

      const file = inWorkspace(source);
      await call('set_breakpoint', { file_path: file, line_number: marked(source, 'got') });
      const stopped = await call('send_input', { text: 'third', ...WAIT });
      const stop = stopOf(stopped);
      assert.equal(stop.line, marked(source, 'got'), JSON.stringify(stopped));
      const whileStopped = await call('send_input', { text: 'fourth' });
      assert.equal(whileStopped.status, 'success', JSON.stringify(whileStopped));
      await call('remove_breakpoint', { clear_all: true });
      await call('continue_debugging', { thread_id: stop.thread_id, timeout_seconds: 1 });
      await printed('got fourth');
      const ended = await call('send_input', { eof: true, ...WAIT });
      assert.equal(ended.status, 'completed', JSON.stringify(ended));
      await printed('end');
    });
  }
});
