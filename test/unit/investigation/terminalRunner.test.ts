import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import type { CommandLine, CommandRunner, Sink } from '../../../src/investigation/runs';
import {
  TerminalRunner,
  type OpenTerminal,
  type TerminalLimits,
} from '../../../src/investigation/terminalRunner';
import { processTable } from '../../../src/editor/investigation/terminalProcesses';
import { ChildProcessRunner } from '../../../src/investigation/childProcess';

const COMMAND: CommandLine = { text: 'npm test', cwd: '/', env: {} };
const LIMITS: TerminalLimits = {
  startMs: 5000,
  shellMs: 5000,
  integratedMs: 5000,
  idleMs: 50,
  restMs: 2000,
};

/** A terminal whose shell is controlled by the test. */
class FakeTerminal implements OpenTerminal {
  readonly executed: string[] = [];
  isDisposed = false;
  shell: string | undefined = 'bash';
  isIntegrated = false;
  /** The variables that it was opened with. */
  env: CommandLine['env'] = {};
  becomeReady: () => void = () => undefined;
  close: () => void = () => undefined;
  end: (exitCode: number | undefined) => void = () => undefined;
  start: () => void = () => undefined;
  readonly started = new Promise<void>((resolve) => (this.start = resolve));
  readonly ready = new Promise<void>((resolve) => (this.becomeReady = resolve));
  readonly closed = new Promise<void>((resolve) => (this.close = resolve));
  /** The output of the command. */
  output: () => AsyncIterable<string> = async function* () {
    yield 'printed\n';
  };

  execute(text: string) {
    this.executed.push(text);
    const ended = new Promise<number | undefined>((resolve) => (this.end = resolve));
    return { output: this.output(), ended };
  }

  dispose(): void {
    this.isDisposed = true;
    this.close();
  }
}

interface Run {
  readonly terminal: FakeTerminal;
  readonly runner: TerminalRunner;
  readonly stop: AbortController;
  readonly printed: string[];
  readonly sink: Sink;
  /** Commands that were run without a terminal. */
  readonly others: string[];
}

function prepared(limits: Partial<TerminalLimits> = {}): Run {
  const terminal = new FakeTerminal();
  const [printed, others]: [string[], string[]] = [[], []];
  const otherwise: CommandRunner = {
    run: async ({ text }) => {
      others.push(text);
      return { via: 'child_process', endedBy: 'exit', exitCode: 0 };
    },
  };
  const runner = new TerminalRunner(
    otherwise,
    () => true,
    ({ env }) => Object.assign(terminal, { env }),
    processTable,
    { ...LIMITS, ...limits },
  );
  const sink: Sink = async (_stream, data) => void printed.push(String(data));
  return { terminal, runner, stop: new AbortController(), printed, sink, others };
}

describe('a command in a terminal', () => {
  it('is run when its shell is ready, and its output is read', async () => {
    const { runner, terminal, sink, stop, printed } = prepared();
    const running = runner.run(COMMAND, sink, stop.signal);
    terminal.becomeReady();
    await terminal.ready;
    setImmediate(() => terminal.end(3));
    assert.deepEqual(await running, { via: 'terminal', endedBy: 'exit', exitCode: 3 });
    assert.deepEqual([printed, terminal.isDisposed], [['printed\n'], true]);
  });

  it('begins with an empty environment, whatever the terminal has', async () => {
    const { runner, terminal, sink, stop } = prepared();
    const running = runner.run({ ...COMMAND, env: { A: "it's $HOME" } }, sink, stop.signal);
    terminal.becomeReady();
    await terminal.ready;
    setImmediate(() => terminal.end(0));
    await running;
    const [line = ''] = terminal.executed;
    const printed = execFileSync('bash', ['-c', line.replace("'npm test'", "'env'")], {
      encoding: 'utf8',
      // As in a remote window, where VS Code adds the environment of its server.
      env: { SEED_SECRET: 'seed', PATH: process.env['PATH'], ...terminal.env },
    });
    assert.deepEqual(
      printed
        .trim()
        .split('\n')
        .filter((each) => !/^(?:PWD|SHLVL|_|TERM|COLORTERM|AGENT_DEBUGGER_RUN)=/.test(each)),
      ["A=it's $HOME"],
    );
    // A shell keeps lines in its history.
    assert.ok(!line.includes("it's"), line);
  });

  it('is run without a terminal in a shell that does not allow that', async () => {
    for (const shell of ['pwsh', undefined]) {
      const { runner, terminal, sink, stop, others } = prepared();
      terminal.shell = shell;
      terminal.becomeReady();
      assert.equal((await runner.run(COMMAND, sink, stop.signal)).via, 'child_process');
      assert.deepEqual([others, terminal.executed], [['npm test'], []]);
    }
  });

  it('is run without a terminal if it cannot be typed, or has a variable of another name', async () => {
    for (const command of [
      { ...COMMAND, text: 'echo a\necho b' },
      { ...COMMAND, env: { 'A$(id)': '1' } },
      { ...COMMAND, env: { '-S': '1' } },
    ]) {
      const { runner, terminal, sink, stop } = prepared();
      terminal.becomeReady();
      assert.equal((await runner.run(command, sink, stop.signal)).via, 'child_process');
      assert.deepEqual(terminal.executed, []);
    }
  });

  it('is run without a terminal if the shell does not become ready in time', async () => {
    const { runner, terminal, sink, stop, others } = prepared({ shellMs: 20 });
    terminal.start();
    assert.equal((await runner.run(COMMAND, sink, stop.signal)).via, 'child_process');
    assert.deepEqual([others, terminal.isDisposed], [['npm test'], true]);
  });

  it('is run in a terminal whose integrated shell becomes ready late', async () => {
    const { runner, terminal, sink, stop } = prepared({ shellMs: 20 });
    terminal.isIntegrated = true;
    terminal.start();
    const running = runner.run(COMMAND, sink, stop.signal);
    await once(AbortSignal.timeout(40), 'abort');
    terminal.becomeReady();
    await terminal.ready;
    setImmediate(() => terminal.end(0));
    assert.equal((await running).via, 'terminal');
  });

  it('waits the usual time after a shell has not reported its integration', async () => {
    const terminals = [new FakeTerminal(), new FakeTerminal()];
    for (const each of terminals) {
      each.isIntegrated = true;
      each.start();
    }
    const [, second] = terminals;
    const opened = terminals[Symbol.iterator]();
    const { sink, stop } = prepared();
    const runner = new TerminalRunner(
      { run: async () => ({ via: 'child_process', endedBy: 'exit', exitCode: 0 }) },
      () => true,
      () => opened.next().value ?? new FakeTerminal(),
      processTable,
      { ...LIMITS, integratedMs: 20 },
    );
    assert.equal((await runner.run(COMMAND, sink, stop.signal)).via, 'child_process');
    const running = runner.run(COMMAND, sink, stop.signal);
    await once(AbortSignal.timeout(40), 'abort');
    second?.becomeReady();
    await second?.ready;
    setImmediate(() => second?.end(0));
    assert.equal((await running).via, 'terminal');
  });

  it('is run in a terminal whose shell VS Code starts late', async () => {
    const { runner, terminal, sink, stop } = prepared({ shellMs: 20 });
    const running = runner.run(COMMAND, sink, stop.signal);
    // The limit for the shell begins with its process.
    await once(AbortSignal.timeout(40), 'abort');
    terminal.start();
    terminal.becomeReady();
    await terminal.ready;
    setImmediate(() => terminal.end(0));
    assert.equal((await running).via, 'terminal');
  });

  it('is run without a terminal if VS Code does not start its shell in time', async () => {
    const { runner, sink, stop, others } = prepared({ startMs: 20 });
    assert.equal((await runner.run(COMMAND, sink, stop.signal)).via, 'child_process');
    assert.deepEqual(others, ['npm test']);
  });

  it('that is stopped while the shell starts is not run anywhere', async () => {
    const { runner, terminal, sink, stop, others } = prepared();
    const running = runner.run(COMMAND, sink, stop.signal);
    stop.abort();
    const { endedBy, note } = await running;
    assert.equal(endedBy, 'stopped');
    assert.match(note ?? '', /was not run/);
    assert.deepEqual([terminal.executed, others, terminal.isDisposed], [[], [], true]);
  });

  it('whose terminal is closed while the shell starts is not run anywhere', async () => {
    const { runner, terminal, sink, stop, others } = prepared();
    const running = runner.run(COMMAND, sink, stop.signal);
    terminal.close();
    const { endedBy, note } = await running;
    assert.equal(endedBy, 'stopped');
    assert.match(note ?? '', /closed.*was not run/);
    assert.deepEqual([terminal.executed, others], [[], []]);
  });

  it('that is stopped ends with its terminal', async () => {
    const { runner, terminal, sink, stop } = prepared();
    const running = runner.run(COMMAND, sink, stop.signal);
    terminal.becomeReady();
    setImmediate(() => stop.abort());
    assert.equal((await running).endedBy, 'stopped');
    assert.ok(terminal.isDisposed);
  });

  it('that printed a lot is read to the end, however long that takes', async () => {
    const { runner, terminal, stop, printed } = prepared({ idleMs: 10 });
    terminal.output = async function* () {
      for (let line = 0; line < 5; line += 1) yield `${line}\n`;
    };
    const slow: Sink = async (_stream, data) => {
      await once(AbortSignal.timeout(30), 'abort');
      printed.push(String(data));
    };
    const running = runner.run(COMMAND, slow, stop.signal);
    terminal.becomeReady();
    await terminal.ready;
    setImmediate(() => terminal.end(0));
    assert.equal((await running).note, undefined);
    assert.equal(printed.length, 5);
  });

  it('whose output stays open reports that its end may be missing', async () => {
    const { runner, terminal, sink, stop, printed } = prepared();
    terminal.output = async function* () {
      yield 'printed\n';
      await new Promise(() => undefined);
    };
    const running = runner.run(COMMAND, sink, stop.signal);
    terminal.becomeReady();
    await terminal.ready;
    setImmediate(() => terminal.end(0));
    const { exitCode, note } = await running;
    assert.deepEqual([exitCode, printed], [0, ['printed\n']]);
    assert.match(note ?? '', /not confirmed that the output of the terminal is complete/);
  });

  it('whose output cannot be written leaves no rejection unhandled', async () => {
    const { runner, terminal, stop } = prepared();
    const unhandled: unknown[] = [];
    const listener = (error: unknown): void => void unhandled.push(error);
    process.on('unhandledRejection', listener);
    const running = runner.run(COMMAND, () => Promise.reject(new Error('full')), stop.signal);
    terminal.becomeReady();
    await terminal.ready;
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    terminal.end(0);
    await running;
    process.off('unhandledRejection', listener);
    assert.deepEqual(unhandled, []);
  });
});

describe('a command without a terminal', () => {
  it('that is stopped before it begins is not run', async () => {
    let printed = '';
    const sink: Sink = async (_stream, data) => void (printed += String(data));
    const { endedBy, note } = await new ChildProcessRunner(processTable).run(
      { text: 'echo run', cwd: process.cwd(), env: {} },
      sink,
      AbortSignal.abort(),
    );
    assert.deepEqual([endedBy, printed], ['stopped', '']);
    assert.match(note ?? '', /was not run/);
  });
});
