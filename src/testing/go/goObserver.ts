import path from 'node:path';
import type { Frame } from '../../debugger/inspection/stackAndVariables';
import type { LibraryObserver, LibraryStop, Observation, ObservedStop } from '../libraryObserver';
import type { ReportedError } from '../runReport';
import type { ChosenTest } from '../testFramework';
import { exited } from '../report/exits';
import { goName, pathOf } from './goNames';
import { entriesIn, errorOf, logged, type LogEntry } from './goLog';
import { markOf, reportOf } from './goReport';
import { goString, panicText } from './goValues';

const RUN = 'testing.tRunner';
const FAIL = 'testing.(*common).Fail';
const TEST_END = 'testing.(*T).report';
const FUZZ_END = 'testing.(*F).report';
const EXIT = 'os.Exit';
const EXAMPLE_END = 'testing.(*InternalExample).processRunResult';

const GOROUTINE = 'runtime.curg.goid';

/** The most of a test's log that is read at a stop: Delve shows 4 KB of a string at once. */
const MAX_OF_A_LOG = 4000;
/** The maximum number of goroutines among which the test's own is searched. */
const MAX_GOROUTINES = 100;

/**
 * Observes a test where the testing package itself marks it as failed, and where it ends. The package prints nothing of
 * a test that passes, and holds back what the others have logged.
 */
export const goObserver: LibraryObserver = {
  stops: (test) => {
    const is = (name: string): string => `${name} == ${JSON.stringify(goName(test))}`;
    // A `testing.T` that was not started by the runner is no test.
    const stops: LibraryStop[] = [
      { functionName: FAIL, condition: 'c.runner != ""' },
      // The program itself ends on its main goroutine.
      { functionName: EXIT, condition: `code != 0 && ${GOROUTINE} != 1` },
    ];
    if (goName(test).startsWith('Example'))
      return [...stops, { functionName: EXAMPLE_END, condition: is('eg.Name') }];
    if (goName(test).startsWith('Fuzz'))
      stops.push({ functionName: FUZZ_END, condition: is('f.common.name') });
    return [...stops, { functionName: TEST_END, condition: is('t.common.name') }];
  },
  filters: ['unrecovered-panic', 'runtime-fatal-throw'],
  observe: async (stop, test, file) => {
    switch (stop.functionName) {
      case FAIL:
        return await failed(stop, test, file);
      case TEST_END:
        return await ended(stop, test, 't.common');
      case FUZZ_END:
        return await ended(stop, test, 'f.common');
      case EXIT:
        return await exits(stop, test);
      case EXAMPLE_END:
        return await exampleOf(stop, test);
      default:
        return await panicked(stop, test);
    }
  },
  // The function breakpoint is at the first line of the function.
  later: ({ name, path: file, line }) =>
    name !== FAIL || file === undefined
      ? undefined
      : { path: file, line: line + 1, expressions: ['c.name', 'len(c.output)', GOROUTINE] },
  threadOf: goroutineOf,
  waitsFor: async ({ evaluate }) => {
    const [, reason] =
      /^waitReason(?!Zero)(\w+)/.exec((await evaluate('runtime.curg.waitreason')) ?? '') ?? [];
    return reason?.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
  },
  report: reportOf,
};

/** Reads a test that is marked as failed. */
async function failed(
  stop: ObservedStop,
  test: ChosenTest,
  file: string,
): Promise<Observation | undefined> {
  const [, caller] = stop.frames;
  // A failed test fails the tests around it. A panic does, too: it stops the program afterwards, with its own message.
  if (caller?.name === FAIL || /^testing\.[tf]Runner\./.test(caller?.name ?? '')) return undefined;
  const [shown, isBubble, isReal] = await Promise.all([
    stop.evaluate('c.name'),
    stop.evaluate('c.isSynctest'),
    isOfRun(stop),
  ]);
  const name = goString(shown) ?? '';
  if (name === '' || !isReal) return undefined;
  // The test around a bubble of synctest has its log.
  const logger = isBubble === 'true' ? 'c.parent' : 'c';
  const size = Number((await stop.evaluate(`len(${logger}.output)`)) ?? 0);
  const { entries, tail } = await logOf(stop, logger, size);
  const last = entries.at(-1);
  const error: ReportedError =
    last?.end === size
      ? errorOf(last, path.dirname(file), stop.frames)
      : { type: undefined, message: tail, frames: [], causes: [] };
  const before = last?.end === size ? entries.slice(0, -1) : entries;
  return {
    isFailure: true,
    test: { outcome: 'failed', path: pathOf(name, test), error, output: before.map(logged) },
    mark: markOf(name, size),
  };
}

/**
 * Whether a failing test belongs to this run. A test may run other tests with `testing.RunTests`, which have a root of
 * their own.
 */
async function isOfRun({ evaluate, framesOf }: ObservedStop): Promise<boolean> {
  const [level, main] = await Promise.all([evaluate('c.level'), framesOf(1).catch(() => [])]);
  const runner = main.find(({ name }) => name === 'testing.runTests');
  if (runner === undefined || level === undefined || !/^\d{1,2}$/.test(level)) return true;
  const root = `c${'.parent'.repeat(Number(level))}`;
  const [own, other] = await Promise.all([
    evaluate(`uintptr(${root})`),
    evaluate('uintptr(t)', runner),
  ]);
  return own === undefined || other === undefined || own === other;
}

/** Reads the end of a test's log. `tail` is an entry that is longer than what was read. */
async function logOf(
  { evaluate }: ObservedStop,
  common: string,
  size: number,
): Promise<{ readonly entries: readonly LogEntry[]; readonly tail: string }> {
  if (size === 0) return { entries: [], tail: '' };
  const from = Math.max(0, size - MAX_OF_A_LOG);
  const bytes = from === 0 ? `${common}.output` : `${common}.output[${from}:${size}]`;
  const text = goString(await evaluate(`string(${bytes})`)) ?? '';
  // The first line may be incomplete.
  const first = from === 0 ? 0 : Math.max(0, text.indexOf('\n') + 1);
  const skipped = from + Buffer.byteLength(text.slice(0, first));
  const entries = entriesIn(text.slice(first), skipped);
  const isCut = from > 0 && entries.length === 0;
  return { entries, tail: isCut ? `…${text.replaceAll(/^ {8}/gm, '')}` : '' };
}

/** Reads the end of the requested test. */
async function ended(
  stop: ObservedStop,
  test: ChosenTest,
  common: string,
): Promise<Observation | undefined> {
  const fields = ['name', 'failed', 'skipped', 'duration', 'isSynctest'];
  const [shown, isFailed, isSkipped, duration, isBubble] = await Promise.all(
    fields.map((field) => stop.evaluate(`${common}.${field}`)),
  );
  if (isBubble === 'true') return undefined;
  const size = Number((await stop.evaluate(`len(${common}.output)`)) ?? 0);
  const { entries } = await logOf(stop, common, size);
  const nanoseconds = /^-?\d+/.exec(duration ?? '')?.[0];
  const unlessFailed = isSkipped === 'true' ? 'skipped' : 'passed';
  const outcome = isFailed === 'true' ? 'failed' : unlessFailed;
  return {
    isFailure: false,
    test: {
      outcome,
      path: pathOf(goString(shown) ?? '', test),
      durationMs: nanoseconds === undefined ? undefined : Number(nanoseconds) / 1e6,
      reason: outcome === 'skipped' ? entries.at(-1)?.text : undefined,
      output: (outcome === 'skipped' ? entries.slice(0, -1) : entries).map(logged),
    },
  };
}

/** Compares the output of an example with its comment, as the library does. */
async function exampleOf(
  { evaluate }: ObservedStop,
  test: ChosenTest,
): Promise<Observation | undefined> {
  const [printed, comment, isUnordered, isFinished] = await Promise.all(
    ['stdout', 'eg.Output', 'eg.Unordered', 'finished'].map((name) => evaluate(name)),
  );
  // It panicked, which stops the program.
  if (isFinished === 'false') return undefined;
  const ordered = (text: string | undefined): string => {
    const lines = (goString(text) ?? '').trim().split('\n');
    return (isUnordered === 'true' ? lines.sort() : lines).join('\n');
  };
  const [actual, expected] = [ordered(printed), ordered(comment)];
  if (actual === expected)
    return { isFailure: false, test: { outcome: 'passed', path: test.path } };
  const message = `got:\n${actual}\nwant:\n${expected}`;
  const error = { type: undefined, message, actual, expected, frames: [], causes: [] };
  return { isFailure: true, test: { outcome: 'failed', path: test.path, error } };
}

/** Reads a panic that nothing recovers, or an error of the runtime that ends the program. */
async function panicked(stop: ObservedStop, test: ChosenTest): Promise<Observation> {
  const { frames, evaluate, exception } = stop;
  const { type, said } = kindOf(exception);
  const [name, panic] = await Promise.all([
    nameIn(frames, evaluate),
    type === 'panic' ? evaluate('runtime.curg._panic.arg') : undefined,
  ]);
  const isKnown = panic !== undefined && !panic.endsWith(' nil');
  const message = isKnown ? panicText(panic) : (goString(said) ?? said);
  const error = { type, message, frames: [], causes: [] };
  // Another goroutine than the test's may end the program, and also one before or after all tests.
  const isInTest = name !== undefined || (await isTesting(stop));
  return {
    isFailure: true,
    test: {
      outcome: isInTest ? 'failed' : 'errored',
      path: name === undefined ? test.path : pathOf(name, test),
      error,
    },
  };
}

/** Reads a test that ends the process. */
async function exits({ frames, evaluate }: ObservedStop, test: ChosenTest): Promise<Observation> {
  const [name, code] = await Promise.all([nameIn(frames, evaluate), evaluate('code')]);
  const error = exited(code === undefined ? undefined : Number(code));
  const ran = name === undefined ? test.path : pathOf(name, test);
  return { isFailure: true, test: { outcome: 'errored', path: ran, error } };
}

/** Whether the main goroutine waits for a test. */
async function isTesting({ framesOf }: ObservedStop): Promise<boolean> {
  const frames = await framesOf(1).catch(() => []);
  return frames.some(({ name }) => RUNNERS.has(name));
}

const RUNNERS: ReadonlySet<string> = new Set([
  ...['testing.(*T).Run', 'testing.runFuzzTests', 'testing.runExample'],
]);

/** Returns what Delve says about a stop. If the stop names no goroutine, Delve says it in one text. */
function kindOf(exception: ObservedStop['exception']): {
  readonly type: string;
  readonly said: string;
} {
  const { type = 'panic', message = '' } = exception ?? {};
  if (type !== 'unknown') return { type, said: message };
  const [, kind = 'panic', said = ''] = /^(panic|fatal error)(?:: ([^]*))?$/.exec(message) ?? [];
  return { type: kind, said };
}

/** Returns the name of the test that runs on a stack. */
async function nameIn(
  frames: readonly Frame[],
  evaluate: ObservedStop['evaluate'],
): Promise<string | undefined> {
  const runner = frames.find(({ name }) => name === RUN || name === 'testing.fRunner');
  if (runner === undefined) return undefined;
  const variable = runner.name === RUN ? 't' : 'f';
  return goString(await evaluate(`${variable}.common.name`, runner)) || undefined;
}

/** Returns the goroutine that runs the test: not one that only waits for a test inside it. */
async function goroutineOf(stop: ObservedStop, test: ChosenTest): Promise<number | undefined> {
  const threads = (await stop.threads()).slice(0, MAX_GOROUTINES);
  const read = threads.map(async (thread) => {
    const frames = await stop.framesOf(thread).catch(() => []);
    return { thread, rank: rankOf(frames, await nameIn(frames, stop.evaluate), test) };
  });
  const ranked = (await Promise.all(read)).sort((one, other) => other.rank - one.rank);
  const [best] = ranked;
  return best === undefined || best.rank === 0 ? undefined : best.thread;
}

/** How likely a goroutine runs the test. 0 if it runs none. */
function rankOf(frames: readonly Frame[], name: string | undefined, test: ChosenTest): number {
  const indexOf = (called: string): number => frames.findIndex((frame) => frame.name === called);
  if (name === undefined) return indexOf('testing.runExample') === -1 ? 0 : 1;
  const waits = indexOf('testing.(*T).Run');
  if (waits !== -1 && waits < indexOf(RUN)) return 1;
  return name.startsWith(goName(test)) ? 3 : 2;
}
