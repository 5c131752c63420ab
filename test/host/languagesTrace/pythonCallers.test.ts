import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import type { DebugModel } from '../../../src/debugger/state/debugModel';
import { LANGUAGES, skipWhereMissing } from '../languages/language';
import { call, cleanUp, inWorkspace, marked, until } from '../support/client';
import { ask } from './asking';
import { assertNothingLeft, untilQuick, withText, type Traced } from './tracing';

const FILE = 'python/serves.py';

/** Starts the fixture. @returns the port on which it serves */
async function served(): Promise<number> {
  const answer = await call('start_debugging', { program: FILE, output_pattern: '^ready' });
  const port = /ready (\d+)/.exec(JSON.stringify(answer))?.[1];
  assert.ok(port !== undefined, JSON.stringify(answer));
  return Number(port);
}

async function traceOf(name: string, more: object = {}): Promise<Traced> {
  const input = { function_name: name, file_path: FILE, max_seconds: 60, ...more };
  return (await call('trace_function', input)) as Traced;
}

/** Whether a session has the breakpoint of a trace. */
function hasEntry({ state }: DebugModel): boolean {
  return [...state.sessions.values()]
    .filter(({ lifecycle }) => lifecycle !== 'terminated')
    .flatMap(({ sourceBreakpoints }) => [...sourceBreakpoints.values()])
    .flatMap(({ breakpoints }) => breakpoints)
    .some(({ injected, verified }) => injected !== undefined && verified);
}

/** Traces a function while four people ask until the trace is there. @returns the answer, the time, and the requests */
async function traceWhile(name: string, ask: () => Promise<string>, more: object = {}) {
  const begun = performance.now();
  let isTraced = false;
  const bodies: string[] = [];
  const tracing = traceOf(name, more).finally(() => (isTraced = true));
  const asking = async (): Promise<void> => {
    while (!isTraced) bodies.push(await ask());
  };
  const [answer] = await Promise.all([tracing, asking(), asking(), asking(), asking()]);
  return { answer, bodies, seconds: (performance.now() - begun) / 1000 };
}

describe('a traced Python call that a library makes', function () {
  this.timeout(300_000);
  const python = LANGUAGES.find(({ name }) => name === 'Python');
  assert.ok(python);
  before(function () {
    skipWhereMissing(this, python);
  });
  afterEach(cleanUp);

  it('is recorded in a handler, while the server goes on', async () => {
    const port = await served();
    let requests = 0;
    let quick = 0;
    let page = 1;
    for (; page <= 10 || (quick < page / 2 && page <= 30); page += 1) {
      const { answer, bodies, seconds } = await traceWhile('do_GET', () =>
        ask(port, `/products/${page}`),
      );
      const text = JSON.stringify(answer);
      assert.equal(answer.status, 'running', text);
      assert.equal(answer.returned, 'None', text);
      assert.match(answer.arguments['self'] ?? '', /^<Handler/, text);
      assert.equal(answer.executed_lines, 4, text);
      assert.ok(
        withText(answer, `route = 'products', _ = '/', value = '${page}'`).length === 1,
        text,
      );
      for (const body of bodies) assert.equal(body, `[${page * 2}, ${page + 1}]`);
      if (seconds < 2) quick += 1;
      requests += bodies.length;
    }
    // On a machine that does other work, single requests take long.
    assert.ok(quick >= (page - 1) / 2, `${quick} of ${page - 1} traces took less than 2 s`);
    // The requests before this one, and this one.
    assert.equal(await ask(port, '/log/'), String(requests + 1));
    await assertNothingLeft();
    assert.equal((await call('stop_debugging')).status, 'success');
  });

  /** A call whose caller is library code or a task, with its lines and its end. */
  interface Kind {
    readonly name: string;
    readonly call?: number;
    readonly lines: number;
    readonly returned?: string;
    readonly threw?: string;
    readonly shows: RegExp;
    /** Where the program stops, if code of the person has made the call. */
    readonly at?: RegExp;
  }
  const KINDS: readonly Kind[] = [
    { name: 'work', lines: 9, returned: '3', shows: /total: 1 → 3/ },
    { name: 'price', lines: 5, returned: '50', shows: /total: 5 → 50/ },
    { name: 'price', call: 2, lines: 5, returned: '30', shows: /total: 3 → 30/ },
    { name: 'price', call: 3, lines: 5, threw: "KeyError('bad')", shows: /total: 3 → 30/ },
    { name: 'rounds', lines: 7, returned: 'None', shows: /i: 0 → 1/, at: /listcomp|consume/ },
  ];
  /** Traces a call of a kind. @returns the seconds that it took */
  async function assertRecorded(kind: Kind): Promise<number> {
    const { name, call: nth = 1, lines, returned, threw, shows, at } = kind;
    const begun = performance.now();
    const answer = await traceOf(name, { call: nth });
    const seconds = (performance.now() - begun) / 1000;
    const text = JSON.stringify(answer);
    assert.equal(answer.status, at === undefined ? 'running' : 'stopped', text);
    assert.match(answer.at ?? '', at ?? /^$/, text);
    if (at !== undefined) await call('continue_debugging', { timeout_seconds: 1 });
    assert.deepEqual([answer.returned, answer['threw']], [returned, threw], text);
    assert.equal(answer['ended_by'], undefined, text);
    assert.match(answer.trace.join('\n'), shows, text);
    assert.equal(answer.executed_lines, lines, text);
    assert.equal(answer.stepped_lines, undefined, text);
    return seconds;
  }
  it('is recorded in a thread, in one of several tasks, and in an asynchronous generator', async () => {
    await served();
    for (const kind of KINDS) await untilQuick(2, () => assertRecorded(kind));
    await assertNothingLeft();
  });

  it('is recorded through a breakpoint of the person at its beginning', async () => {
    const port = await served();
    const uri = vscode.Uri.file(inWorkspace(FILE));
    const line = marked(FILE, 'first') - 1;
    vscode.debug.addBreakpoints([
      new vscode.SourceBreakpoint(new vscode.Location(uri, new vscode.Position(line, 0))),
    ]);
    const tracing = traceOf('products');
    await until(hasEntry, 'the breakpoint');
    const asked = ask(port, '/products/3');
    const answer = await tracing;
    const text = JSON.stringify(answer);
    assert.deepEqual([answer.returned, answer['ended_by']], ['[6, 4]', undefined], text);
    assert.equal(answer.executed_lines, 4, text);
    if (answer.status === 'stopped') await call('continue_debugging', { timeout_seconds: 1 });
    assert.equal(await asked, '[6, 4]');
    await assertNothingLeft(1);
  });

  /** Traces a call for two seconds that does not end in them. @returns the seconds that the trace took */
  async function assertTimedOut(port: number, name: string, path: string): Promise<number> {
    const begun = performance.now();
    const tracing = traceOf(name, { max_seconds: 2 });
    await until(hasEntry, 'the breakpoint');
    const asked = ask(port, path);
    const answer = await tracing;
    const seconds = (performance.now() - begun) / 1000;
    const text = JSON.stringify(answer);
    assert.equal(answer.status, 'timeout', text);
    assert.equal(answer['ended_by'], 'max_seconds', text);
    assert.equal(answer['program'], 'running', text);
    assert.equal(answer['reached'], name === 'nap' ? undefined : false, text);
    assert.equal(await ask(port, '/products/1'), '[2, 2]');
    assert.notEqual(await asked, '');
    return seconds;
  }
  it('ends in time if the call does not return, or never comes, and the server goes on', async () => {
    const port = await served();
    for (const [name, path] of [
      ['nap', '/nap/6'],
      ['crash', '/log/'],
    ] as const)
      await untilQuick(4, () => assertTimedOut(port, name, path));
    await assertNothingLeft();
  });

  it('knows the exception, and the program stops only where code of the person handles it', async () => {
    const port = await served();
    for (const [name, status] of [
      ['crash', 'running'],
      ['risky', 'stopped'],
    ] as const) {
      const tracing = traceOf(name);
      await until(hasEntry, 'the breakpoint');
      const asked = ask(port, name === 'crash' ? '/crash/oil' : '/risk/oil').catch(() => 'closed');
      const answer = await tracing;
      const text = JSON.stringify(answer);
      assert.equal(answer['threw'], "PriceError('no oil')", text);
      assert.equal(answer.status, status, text);
      if (status === 'stopped') {
        assert.match(answer.at ?? '', /serves\.py:\d+ risk$/, text);
        await call('continue_debugging', { timeout_seconds: 1 });
      }
      assert.equal(await asked, status === 'stopped' ? '"no oil"' : 'closed', text);
    }
    await assertNothingLeft();
  });
});
