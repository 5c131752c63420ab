import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { call, cleanUp, stopOf, until, type Answer } from '../support/client';
import { LANGUAGES, skipWhereMissing } from './language';

const WAIT = { timeout_seconds: 120 };
const PROGRAMS = {
  'listens.js':
    "process.stdin.on('data', (text) => console.log(`got ${text}`.trim()));\nconsole.log('ready');\n",
  'reads.js':
    "console.log('ready');\nconsole.log(`got ${require('node:fs').readFileSync(0, 'utf8')}`.trim());\n",
  'idle.js': "console.log('ready');\nsetInterval(() => undefined, 1000);\n",
  'asks.py': "print('ready', flush=True)\nprint('got ' + input())\n",
  'reads.cpp':
    '#include <cstdio>\nint main() {\n  std::puts("ready");\n  std::fflush(stdout);\n  return std::getchar() == 10 ? 0 : 1;\n}\n',
};

describe('standard input', function () {
  this.timeout(300_000);
  let folder = '';

  before(() => {
    folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'agent-debugger-')));
    for (const [name, text] of Object.entries(PROGRAMS))
      writeFileSync(path.join(folder, name), text);
    writeFileSync(path.join(folder, 'input.txt'), 'hello\n');
  });
  after(() => rmSync(folder, { recursive: true }));
  afterEach(cleanUp);

  const needs = (context: Mocha.Context, name: string): void => {
    const language = LANGUAGES.find((each) => each.name === name);
    assert.ok(language);
    skipWhereMissing(context, language);
    if (process.platform !== 'linux') context.skip();
  };
  /** Starts a program, waits for its first line, and returns the answer of a further wait. */
  const waited = async (start: object): Promise<Answer> => {
    await call('start_debugging', { ...start, timeout_seconds: 1 });
    await until(
      (model) =>
        [...model.state.sessions.values()].some(
          (each) =>
            each.lifecycle !== 'terminated' &&
            model
              .output(each)
              .read({ since: 0 })
              .some(({ text }) => text.trim() === 'ready'),
        ),
      'the program is up',
    );
    const answer = await call('wait_for_stop', { timeout_seconds: 2 });
    assert.equal(answer.status, 'timeout', JSON.stringify(answer));
    return answer;
  };

  for (const [file, message] of [
    ['reads.js', /is waiting for input on its standard input/],
    ['listens.js', /reads its standard input/],
  ] as const) {
    it(`Node, ${file}: a wait that times out reports the use of standard input, and how to pass input`, async function () {
      needs(this, 'Node');
      const answer = await waited({ program: path.join(folder, file) });
      assert.match(String(answer['message']), message);
      assert.match(String(answer['hint']), /integratedTerminal/);
    });
  }

  it('a program that does not read it is reported as running', async function () {
    needs(this, 'Node');
    const answer = await waited({ program: path.join(folder, 'idle.js') });
    assert.match(String(answer['message']), /still running/);
    assert.equal(answer['hint'], undefined);
  });

  it('C++: a wait that times out reports that the program waits for it', async function () {
    needs(this, 'C++');
    const program = path.join(folder, 'reads');
    assert.equal(spawnSync('g++', ['-g', '-O0', '-o', program, `${program}.cpp`]).status, 0);
    const answer = await waited({ program });
    assert.match(String(answer['message']), /is waiting for input on its standard input/);
    assert.match(String(answer['hint']), /runInTerminal/);
  });

  it('Python in a terminal: a wait that times out reports that the program waits for it, and that the person can type', async function () {
    needs(this, 'Python');
    const answer = await waited({
      configuration_name: 'Python input',
      inputs: { program: path.join(folder, 'asks.py'), console: 'integratedTerminal', args: '' },
    });
    assert.match(String(answer['message']), /is waiting for input on its standard input/);
    assert.match(String(answer['hint']), /person to type/);
  });

  it('Python: input() without standard input reports how to pass it, at the stop and at the end', async function () {
    needs(this, 'Python');
    const answer = await call('start_debugging', {
      program: path.join(folder, 'asks.py'),
      ...WAIT,
    });
    assert.equal(stopOf(answer).exception?.type, 'EOFError', JSON.stringify(answer));
    assert.match(String(answer['hint']), /"console": "integratedTerminal"/);
    const end = await call('continue_debugging', { thread_id: stopOf(answer).thread_id, ...WAIT });
    assert.equal(end['exit_code'], 1, JSON.stringify(end));
    assert.match(String(end['hint']), /"console": "integratedTerminal"/);
  });

  for (const [name, file] of [
    ['Node', 'reads.js'],
    ['Python', 'asks.py'],
  ] as const) {
    it(`${name}: a file is read with the configuration of the hint`, async function () {
      needs(this, name);
      const inputs = {
        program: path.join(folder, file),
        console: 'integratedTerminal',
        args: `< ${path.join(folder, 'input.txt')}`,
      };
      const end = await call('start_debugging', {
        configuration_name: `${name} input`,
        inputs,
        ...WAIT,
      });
      assert.equal(end['exit_code'], 0, JSON.stringify(end));
      await until(
        (model) =>
          [...model.state.sessions.values()].some((each) =>
            model
              .output(each)
              .read({ since: 0 })
              .some(({ text }) => text.trim() === 'got hello'),
          ),
        'what was read is printed',
      );
    });
  }
});
