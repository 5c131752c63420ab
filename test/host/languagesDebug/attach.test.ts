import { strict as assert } from 'node:assert';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import {
  call,
  cleanUp,
  errorOf,
  inWorkspace,
  marked,
  stopOf,
  until,
  type Answer,
} from '../support/client';
import { freePort } from '../support/freePort';
import { skip } from '../../support/skip';
import { isAtLeast, toolPath } from '../../support/toolchain';
import { LANGUAGES, skipWhereMissing, type Language } from '../languages/language';

const named = (name: string): Language => {
  const found = LANGUAGES.find((each) => each.name === name);
  assert.ok(found);
  return found;
};

const HERE = '127.0.0.1';

/** Asserts that a program has not ended. */
function assertRuns(child: ChildProcess): void {
  assert.equal(child.exitCode ?? child.signalCode, null, 'the program goes on');
  assert.ok(child.pid !== undefined && process.kill(child.pid, 0));
}

/** The native scenario, built by `npm run adapters:setup`. */
const nativeProgram = (): string => inWorkspace('native/out/scenario');

/** Builds the Go scenario with what a debugger needs. */
function goProgram({ source }: Language): string {
  const program = path.join(mkdtempSync(path.join(tmpdir(), 'attach-')), 'scenario');
  const built = spawnSync('go', ['build', '-gcflags', 'all=-N -l', '-o', program, '.'], {
    cwd: path.dirname(inWorkspace(source)),
    encoding: 'utf8',
  });
  assert.equal(built.status, 0, built.stderr);
  return program;
}

/**
 * The command that runs a program so that any process of the same user may trace it. Without it debuggers cannot attach
 * if the kernel allows tracing only to ancestors (Yama's `ptrace_scope` 1, the default of many distributions) and the
 * user is not root.
 */
function traceable(program: string, args: readonly string[]): readonly [string, string[]] {
  if (process.platform !== 'linux' || !existsSync(PYTHON)) return [program, [...args]];
  return [PYTHON, ['-c', ALLOW_TRACING, program, ...args]];
}

const PYTHON = toolPath('python');

/** Sets `PR_SET_PTRACER_ANY`, which holds across `exec`. A kernel without Yama refuses and does not need the call. */
const ALLOW_TRACING = `import ctypes, os, sys
ctypes.CDLL(None).prctl(0x59616d61, ctypes.c_ulong(-1), 0, 0, 0)
os.execv(sys.argv[1], sys.argv[1:])`;

/**
 * Whether gdb can call a function in a process. gdb 13 cannot on processors whose extended state is larger than it knows
 * (“Couldn't write extended state status”).
 */
function gdbCanCall({ pid }: ChildProcess): boolean {
  const args = ['--nw', '--nh', '--nx', '--pid', String(pid), '--batch'];
  const { stdout, stderr } = spawnSync(
    'gdb',
    [...args, '--eval-command', 'print (int)getpid() == ' + String(pid)],
    { encoding: 'utf8' },
  );
  const isCalled = /^\$1 = 1$/m.test(stdout);
  assert.ok(isCalled || /extended state/.test(stdout + stderr), stdout + stderr);
  return isCalled;
}

describe('attaching to a running program', function () {
  this.timeout(300_000);
  const children: ChildProcess[] = [];
  afterEach(cleanUp);
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });

  /** Starts a program and resolves with its first line that matches the pattern. */
  async function run(
    command: string,
    args: readonly string[],
    pattern: RegExp,
  ): Promise<{ child: ChildProcess; line: string }> {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    children.push(child);
    const line = await new Promise<string>((resolve, reject) => {
      for (const stream of [child.stdout, child.stderr])
        createInterface({ input: stream }).on('line', (each) => {
          if (pattern.test(each)) resolve(each);
        });
      child.once('exit', (code) => reject(new Error(`it ended with ${String(code)}`)));
      child.once('error', reject);
    });
    return { child, line };
  }

  /** Attaches, stops the program at a breakpoint, and detaches. */
  async function attachStopAndDetach(
    language: Language,
    attach: object,
    child: ChildProcess,
  ): Promise<void> {
    const file_path = language.source;
    const line_number = marked(file_path, 'inside');
    const breakpoints = [{ file_path, line_number }];
    const answer = await call('start_debugging', { attach, breakpoints, timeout_seconds: 60 });
    const stop = stopOf(answer);
    assert.equal(stop.line, line_number, JSON.stringify(answer));
    assert.equal((answer['configuration'] as { request: string }).request, 'attach');
    await call('remove_breakpoint', { clear_all: true });
    const end = await call('stop_debugging', {});
    assert.equal(end['ended'], true, JSON.stringify(end));
    assertRuns(child);
  }

  it('attaches to Node by its port', async () => {
    const program = inWorkspace('node/scenario.js');
    const { child, line } = await run(
      process.execPath,
      ['--inspect=0', program, 'loop'],
      /^Debugger listening on /,
    );
    const port = Number(/:(\d+)\//.exec(line)?.[1]);
    await attachStopAndDetach(named('Node'), { type: 'node', port, host: '127.0.0.1' }, child);
  });

  it('attaches to what listens on a port of this machine, without its type and address', async () => {
    const program = inWorkspace('node/scenario.js');
    const args = ['--inspect=0', program, 'loop'];
    const { child, line } = await run(process.execPath, args, /^Debugger listening on /);
    await attachStopAndDetach(named('Node'), { port: Number(/:(\d+)\//.exec(line)?.[1]) }, child);
  });

  it('attaches to Python by its port', async function () {
    const language = named('Python');
    skipWhereMissing(this, language);
    const port = await freePort();
    const { child } = await run(
      PYTHON,
      [
        '-u',
        '-m',
        'debugpy',
        '--listen',
        `127.0.0.1:${port}`,
        inWorkspace(language.source),
        'loop',
      ],
      /^sum=14/,
    );
    await attachStopAndDetach(language, { type: 'debugpy', port, host: '127.0.0.1' }, child);
  });

  it('attaches to Python by its process', async function () {
    const language = named('Python');
    skipWhereMissing(this, language);
    // debugpy uses gdb to load its code into the program.
    if (spawnSync('gdb', ['--version']).status !== 0) skip(this, 'debugpy needs gdb to attach');
    const args = ['-u', inWorkspace(language.source), 'loop'];
    const { child: other } = await run(...traceable(PYTHON, args), /^sum=14/);
    const canCall = gdbCanCall(other);
    const { child } = await run(...traceable(PYTHON, args), /^sum=14/);
    if (!canCall) {
      // What debugpy says must reach the caller.
      const attach = { type: 'debugpy', process_id: child.pid };
      const answer = await call('start_debugging', { attach, timeout_seconds: 20 });
      assert.equal(answer.status, 'timeout', JSON.stringify(answer));
      assert.match(JSON.stringify(answer['output']), /Code injection into PID=/);
      return;
    }
    await attachStopAndDetach(language, { type: 'debugpy', process_id: child.pid }, child);
  });

  it('attaches to C++ by its process', async function () {
    const language = named('C++');
    skipWhereMissing(this, language);
    const { child } = await run(...traceable(nativeProgram(), ['loop']), /^sum=14/);
    await attachStopAndDetach(language, { type: 'lldb-dap', process_id: child.pid }, child);
  });

  it('attaches to Go by its process', async function () {
    const language = named('Go');
    skipWhereMissing(this, language);
    const program = goProgram(language);
    const { child } = await run(...traceable(program, ['loop']), /^sum=14/);
    await attachStopAndDetach(language, { type: 'go', process_id: child.pid }, child);
  });

  it('attaches to Java by the port of its debug agent', async function () {
    const language = named('Java');
    skipWhereMissing(this, language);
    const classes = mkdtempSync(path.join(tmpdir(), 'attach-'));
    const compiled = spawnSync(
      path.join(path.dirname(toolPath('jdk')), 'javac'),
      ['-g', '-d', classes, inWorkspace(language.source)],
      {
        encoding: 'utf8',
      },
    );
    assert.equal(compiled.status, 0, compiled.stderr);
    const agent = '-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0';
    const { child, line } = await run(
      'java',
      [agent, '-cp', classes, 'Scenario', 'loop'],
      /^Listening for transport dt_socket at address: /,
    );
    const port = Number(/(\d+)$/.exec(line)?.[1]);
    await attachStopAndDetach(language, { type: 'java', port, host: '127.0.0.1' }, child);
  });

  it('refuses a process that has ended, VS Code itself, and an invalid target', async () => {
    const { child } = await run(process.execPath, ['-e', 'console.log("up")'], /^up$/);
    if (child.exitCode === null) await once(child, 'exit');
    const attach = async (target: object): Promise<Answer> =>
      await call('start_debugging', { attach: target });
    errorOf(await attach({ type: 'node', process_id: child.pid }), 'process_not_found');
    errorOf(await attach({ type: 'node', process_id: process.pid }), 'not_supported');
    errorOf(await attach({ type: 'node' }), 'invalid_input');
    errorOf(await attach({ type: 'no-such', port: 1 }), 'debugger_not_installed');
  });

  it('Go: attaches to a program of another language, or reports that its Delve cannot, and the program goes on', async function () {
    skipWhereMissing(this, named('Go'));
    // A system program without debug information. Delve attaches to such programs from 1.26.1 on, and says nothing else.
    const child = spawn('/bin/sleep', ['600'], { stdio: 'ignore' });
    children.push(child);
    await once(child, 'spawn');
    const attach = { type: 'go', process_id: child.pid };
    const isAttached = isAtLeast('delve', '1.26.1');
    const answer = await call('start_debugging', {
      attach,
      timeout_seconds: isAttached ? 10 : 60,
    });
    if (isAttached) {
      assert.equal(answer.status, 'timeout', JSON.stringify(answer));
      const end = await call('stop_debugging', {});
      assert.equal(end['ended'], true, JSON.stringify(end));
    } else {
      assert.match(errorOf(answer, 'launch_failed').message, /could not attach to pid \d+: ./);
    }
    assertRuns(child);
  });

  for (const name of ['C++', 'Go'])
    it(`${name}: reports the debugger’s message for a process that another debugger has attached to, and the process goes on`, async function () {
      const language = named(name);
      skipWhereMissing(this, language);
      const program = name === 'Go' ? goProgram(language) : nativeProgram();
      const { child } = await run(...traceable(program, ['loop']), /^sum=14/);
      const attach = { type: language.adapterType, process_id: child.pid };
      const place = { file_path: language.source, line_number: marked(language.source, 'inside') };
      const start = { attach, breakpoints: [place], timeout_seconds: 60 };
      const { session_id } = stopOf(await call('start_debugging', start));
      const second = await call('start_debugging', { attach, timeout_seconds: 60 });
      const { message } = errorOf(second, 'launch_failed');
      assert.match(message, /could not be started: (?:lost connection|.*(?:attach|permitted))/i);
      await call('remove_breakpoint', { clear_all: true });
      const end = await call('stop_debugging', { session_id });
      assert.equal(end['ended'], true, JSON.stringify(end));
      assertRuns(child);
    });

  for (const type of ['node', 'debugpy'])
    it(`${type}: reports an error for a port where something else listens, and leaves no session`, async function () {
      if (type === 'debugpy') skipWhereMissing(this, named('Python'));
      // In a process of its own, because an attach to the editor itself is refused.
      const script = `const server = require('http').createServer((_, response) => response.end('hello'));
        server.listen(0, '${HERE}', () => console.log(server.address().port));`;
      const child = spawn(process.execPath, ['-e', script], {
        env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
      });
      try {
        const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
        const attach = { type, port: Number(line), host: HERE };
        const answer = await call('start_debugging', { attach, timeout_seconds: 60 });
        const { message } = errorOf(answer, 'launch_failed');
        assert.match(message, /could not be started: .*connect/i);
        errorOf(await call('wait_for_stop', {}), 'no_session');
      } finally {
        child.kill('SIGKILL');
      }
    });

  it('reports the debugger’s message for a port where nothing listens', async function () {
    skipWhereMissing(this, named('C++'));
    const attach = { type: 'lldb-dap', port: await freePort(), host: '127.0.0.1' };
    const answer = await call('start_debugging', { attach, timeout_seconds: 60 });
    const { message } = errorOf(answer, 'launch_failed');
    assert.match(message, /connect/i);
  });
});

describe('restarting', function () {
  this.timeout(300_000);
  afterEach(cleanUp);

  for (const name of ['Node', 'Python', 'C++']) {
    const language = named(name);
    it(`${name}: stops at the first breakpoint again, with the same configuration`, async function () {
      skipWhereMissing(this, language);
      const file_path = language.source;
      const line_number = marked(file_path, 'add');
      await call('set_breakpoint', { file_path, line_number });
      const start = { configuration_name: language.configuration, timeout_seconds: 100 };
      const first = stopOf(await call('start_debugging', { ...start, args: ['zero'] }));
      const second = stopOf(await call('continue_debugging', {}));
      assert.equal(second.line, line_number);
      const again = stopOf(await call('restart_debugging', { timeout_seconds: 100 }));
      assert.equal(again.line, line_number);
      const shown = (stop: typeof first, variable: string): string | undefined =>
        stop.top_frame_variables?.variables.find((each) => each.name === variable)?.value;
      assert.equal(shown(again, 'sum'), shown(first, 'sum'), JSON.stringify(again));
      await call('remove_breakpoint', { clear_all: true });
      const end = await call('continue_debugging', {});
      assert.equal(end.status, 'completed', JSON.stringify(end));
      assert.equal(end['exit_code'], 0, 'the arguments were passed again');
      await until(
        ({ state }) =>
          [...state.sessions.values()].every((each) => each.lifecycle === 'terminated'),
        'no session is left',
      );
    });
  }
});
