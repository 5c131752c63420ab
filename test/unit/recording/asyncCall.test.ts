import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isCallEnd } from '../../../src/recording/javaScriptAsyncCall';
import {
  javaScriptChoice,
  javaScriptCondition,
  javaScriptFile,
} from '../../../src/recording/javaScriptConditions';
import { readRow } from '../../../src/recording/recordedRows';
import { SETTINGS } from '../support/recorderRuns';

/**
 * Runs a program that has `CHOOSE(n)` at the beginning of a call, and `AT` where a debugger would evaluate a condition. The
 * variable `n` is recorded.
 * @returns the recorded values
 */
function recorded(program: string): readonly unknown[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'agent-debugger-'));
  try {
    const all = { ...SETTINGS, folder, oneCall: true, suspends: true };
    writeFileSync(path.join(folder, 'recorder.js'), javaScriptFile(all.name, JSON.stringify(all)));
    const point = { id: 1, when: undefined, stopWhen: undefined, claim: undefined, values: ['n'] };
    const place = { points: [point], callees: [], stopsWhenLeft: false, isOneCall: true };
    const choice = javaScriptChoice(all.name, folder, point);
    const condition = javaScriptCondition(all.name, folder, place);
    const text = program
      .replaceAll(/\bAT\b/g, `eval(${JSON.stringify(condition)})`)
      .replaceAll(/\bCHOOSE\((.*?)\)/g, `if ($1) eval(${JSON.stringify(choice)})`);
    const file = path.join(folder, 'program.cjs');
    writeFileSync(file, text);
    const ended = spawnSync(process.execPath, [file], { encoding: 'utf8' });
    assert.deepEqual([ended.status, ended.stderr], [0, '']);
    return readdirSync(folder)
      .filter((each) => each.endsWith('.jsonl'))
      .flatMap((each) => readFileSync(path.join(folder, each), 'utf8').trim().split('\n'))
      .map(readRow)
      .flatMap((row) => (row?.kind === 'hit' ? row.hit.values.slice(0, 1) : []));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const LATER = 'const later = (value) => new Promise((resolve) => setImmediate(resolve, value));\n';

describe('the JavaScript recorder of one asynchronous call', () => {
  it('records it alone beside concurrent calls', () => {
    const values = recorded(`${LATER}
async function f(n) { CHOOSE(n === 20); await later(); n += 1; AT; await null; n += 1; AT; await 5; n += 1; AT; }
Promise.all([f(10), f(20), f(30)]);`);
    assert.deepEqual(values, ['20', '21', '22', '23']);
  });

  it('records it without calls that it makes of the same function', () => {
    const values = recorded(`${LATER}
async function f(n, depth) {
  CHOOSE(n === 1);
  if (depth > 0) await f(n * 10, depth - 1);
  n += 1; AT;
  const other = depth > 0 ? f(n * 100, 0) : undefined;
  n += 1; AT;
  await other;
  n += 1; AT;
}
f(1, 2);`);
    assert.deepEqual(values, ['1', '2', '3', '4']);
  });

  it('does not take a later call for it that begins at the same depth while it waits', () => {
    const values = recorded(`${LATER}
async function f(n) { CHOOSE(n === 1); await new Promise((resolve) => setTimeout(resolve, 60)); n += 1; AT; await null; n += 1; AT; }
const run = (n) => f(n);
setTimeout(run, 1, 1);
setTimeout(run, 20, 50);
setTimeout(run, 30, 70);`);
    assert.deepEqual(values, ['1', '2', '3']);
  });

  it('goes on behind handlers, thenables and rejections that it catches', () => {
    const values = recorded(`${LATER}
async function f(n) {
  CHOOSE(n === 1);
  await later().then(() => (n === 1 ? f(100) : undefined)).finally(() => undefined);
  n += 1; AT;
  await { then: (resolve) => resolve(7) };
  n += 1; AT;
  try { await Promise.reject(new Error('caught')); } catch { n += 1; AT; }
  for await (const each of [1, 2]) { n += each; AT; }
  await Promise.allSettled([later(), Promise.reject(new Error('settled'))]);
  n += 1; AT;
}
f(1);`);
    assert.deepEqual(values, ['1', '2', '3', '4', '5', '7', '8']);
  });

  it('records no function that a compiler has changed to a generator', () => {
    const values = recorded(`${LATER}
function __awaiter(body) {
  return new Promise((resolve) => {
    const it = body();
    const step = (result) => (result.done ? resolve(result.value) : Promise.resolve(result.value).then((value) => step(it.next(value))));
    step(it.next());
  });
}
const f = (n) => __awaiter(function* () { CHOOSE(n === 1); yield later(); n += 1; AT; });
f(1);`);
    assert.deepEqual(values, []);
  });

  it('stops the program in a function that js-debug shows with or without its object', () => {
    assert.equal(isCallEnd('agentDebuggerCallEnded'), true);
    assert.equal(isCallEnd('global.agentDebuggerCallEnded'), true);
    assert.equal(isCallEnd('agentDebuggerCallEndedNot'), false);
  });
});
