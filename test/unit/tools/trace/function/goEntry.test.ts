import { strict as assert } from 'node:assert';
import { FRAMES_OF_A_STOP } from '../../../../../src/debugger/inspection/framePage';
import {
  fields,
  listOf,
  numberOf,
  textOf,
  type Fields,
} from '../../../../../src/debugger/protocol';
import { ask, type Answer } from '../../../support/asking';
import { launched } from '../../../support/events';
import { settled } from '../../../support/injecting';
import { bench, type Bench } from '../../../support/services';

const FILE = '/home/ada/app/main.go';
const SOURCE = `package main

func f(a int) int {
	b := a + 1
	return b
}

func main() {
	f(1)
	f(2)
}
`;
const MAIN = 'main.main';
const F = 'main.f';

interface Place {
  readonly line: number;
  readonly name: string;
  /** The lines of the breakpoints that the stop names. Default: it names none. */
  readonly hit?: readonly number[];
  /** The adapter's id of the top frame. Default: 1000. */
  readonly frame?: number;
  /** Called before the stop. */
  readonly before?: (on: Bench) => void | Promise<void>;
}

interface Program {
  readonly on: Bench;
  /** The lists of breakpoints that were sent, as their lines. */
  readonly lists: () => readonly (readonly unknown[])[];
  /** The first breakpoint of the list that was sent first. */
  readonly first: () => Fields;
}

function bound(breakpoint: unknown): object {
  const { line } = fields(breakpoint);
  return { id: line, verified: true, line };
}

/** A Go program that is stopped in `main` and then stops at these places. */
function stoppingAt(places: readonly Place[]): Program {
  const on = bench();
  for (const event of launched('a', { sessionType: 'go' })) on.model.dispatch(event);
  on.host.emit('capabilities', { capabilities: { supportsLogPoints: true } });
  on.workspace.files.set(FILE, SOURCE);
  let at: Place = { line: 9, name: MAIN };
  let passed = 0;
  on.host
    // Each breakpoint has its line as its id.
    .on('setBreakpoints', ({ breakpoints }) => ({ breakpoints: listOf(breakpoints).map(bound) }))
    .on('setFunctionBreakpoints', () => ({ breakpoints: [] }))
    .on('evaluate', () => ({ result: '-120', variablesReference: 0 }))
    .on('scopes', () => ({ scopes: [{ name: 'Locals', variablesReference: 1000 }] }))
    .on('variables', () => ({ variables: [{ name: 'a', value: '1', variablesReference: 0 }] }))
    .on('stackTrace', () => {
      const source = { path: FILE };
      const frame = (id: number, name: string, line: number): object => ({
        ...{ id, name, line, column: 1, source },
      });
      const caller = at.name === MAIN ? [] : [frame(1001, MAIN, 9)];
      const frames = [frame(at.frame ?? 1000, at.name, at.line), ...caller];
      return { stackFrames: frames, totalFrames: frames.length };
    });
  const goOn = async (): Promise<void> => {
    const place = places[passed];
    assert.ok(place, 'the program was moved too often');
    passed += 1;
    await place.before?.(on);
    at = place;
    const named = place.hit === undefined ? {} : { hitBreakpointIds: place.hit };
    const reason = passed === places.length && place.name === MAIN ? 'step' : 'breakpoint';
    on.host.emit('stopped', { reason, threadId: 1, allThreadsStopped: true, ...named });
  };
  for (const command of ['continue', 'stepOut'])
    on.host.on(command, () => {
      setImmediate(() => void goOn());
      return {};
    });
  on.host.emit('stopped', { reason: 'breakpoint', threadId: 1, allThreadsStopped: true });
  const sent = (): readonly (readonly Fields[])[] =>
    on.host.sent('setBreakpoints').map(({ breakpoints }) => listOf(breakpoints).map(fields));
  return {
    on,
    lists: () => sent().map((list) => list.map(({ line }) => line)),
    first: () => sent()[0]?.[0] ?? {},
  };
}

/** Prints a line of the logpoints, as Delve does. */
function logs(line: number, ...values: readonly string[]): (on: Bench) => void {
  return (on) => {
    const [list] = on.host
      .sent('setBreakpoints')
      .map(({ breakpoints }) => listOf(breakpoints).map(fields))
      .filter(([first]) => first?.['logMessage'] !== undefined);
    const message = textOf(list?.find((each) => each['line'] === line)?.['logMessage']) ?? '';
    let next = 0;
    const output = message.replace(/\{[^}]*\}/g, () => values[next++] ?? '{eval err: none}');
    on.host.emit('output', { category: 'stdout', output: `> [Go 1]: ${output}\n` });
  };
}

const ENTRY = 3;
const CALL: readonly Place[] = [
  { line: 3, name: F, hit: [ENTRY] },
  { line: 9, name: MAIN, before: logs(5, '-120', '1', '2', '2') },
];

async function trace({ on }: Program, input: object = {}): Promise<Answer> {
  const answer = await ask(on, 'trace_function', {
    ...{ function_name: 'f', file_path: FILE },
    ...input,
  });
  assert.equal(on.services.control.leases.of(on.session()), undefined);
  return answer;
}

/** Reads the stack, as for the report of a stop. */
async function stackRead({ on }: Program): Promise<void> {
  const { inspector } = on.services;
  const place = inspector.placeOf(on.session(), 1);
  await inspector.frames(on.session(), place, 0, FRAMES_OF_A_STOP, new AbortController().signal);
}

/** The frames in which the value that identifies the call was requested. */
const evaluatedIn = ({ on }: Program): readonly unknown[] =>
  on.host.sent('evaluate').map(({ expression, frameId }) => [expression, frameId]);

/** Whether the call was recorded from its beginning. */
function assertRecorded(answer: Answer): void {
  assert.deepEqual(
    [answer.status, answer['returned'], answer['stepped_lines'], answer['ended_by']],
    ['stopped', '2', undefined, undefined],
    JSON.stringify(answer),
  );
  assert.ok((numberOf(answer['executed_lines']) ?? 0) >= 2, JSON.stringify(answer));
}

describe('the value that identifies a call in Go', () => {
  it('is requested once, in the turn of the stop', async () => {
    const program = stoppingAt(CALL);
    await stackRead(program);
    // The list of logpoints is answered only after the step out.
    const { on } = program;
    let answerLogpoints: (() => void) | undefined;
    on.host.on('setBreakpoints', ({ breakpoints }) => {
      const answer = { breakpoints: listOf(breakpoints).map(bound) };
      const isLogged = listOf(breakpoints).some((each) => fields(each)['logMessage'] !== undefined);
      return isLogged
        ? new Promise((resolve) => (answerLogpoints = () => resolve(answer)))
        : answer;
    });
    on.model.observe(() => answerLogpoints?.(), ['stepOut']);
    assertRecorded(await trace(program));
    assert.deepEqual(evaluatedIn(program), [['runtime.frameoff', 1000]]);
    const order = on.host.requests.map(({ command }) => command);
    assert.ok(
      order.lastIndexOf('stepOut') > order.indexOf('setBreakpoints', order.indexOf('evaluate')),
    );
    const commands = program.on.host.requests.map(({ command }) => command);
    const moved = commands.indexOf('continue');
    // The variables are requested only after the stack has been answered.
    assert.deepEqual(commands.slice(moved + 1, moved + 4), ['stackTrace', 'evaluate', 'scopes']);
  });

  it('is requested for the first frame that the adapter has issued, even if others followed', async () => {
    const program = stoppingAt(CALL);
    const { inspector } = program.on.services;
    await stackRead(program);
    program.on.host.on('stackTrace', () => ({
      stackFrames: [{ id: 1004, name: MAIN, line: 9, column: 1, source: { path: FILE } }],
      totalFrames: 1,
    }));
    const place = inspector.placeOf(program.on.session(), 1);
    await inspector.frames(program.on.session(), place, 0, 5, new AbortController().signal);
    await trace(program);
    assert.deepEqual(evaluatedIn(program)[0], ['runtime.frameoff', 1000]);
  });

  it('is requested again if the adapter has not issued the id of the frame again', async () => {
    const [entry, end] = CALL;
    const program = stoppingAt([
      { ...(entry ?? assert.fail()), frame: 2000 },
      end ?? assert.fail(),
    ]);
    await stackRead(program);
    assertRecorded(await trace(program));
    assert.deepEqual(evaluatedIn(program), [
      ['runtime.frameoff', 1000],
      ['runtime.frameoff', 2000],
    ]);
  });
});

describe('the breakpoint at the beginning of a call in a stopped Go program', () => {
  it('is not in VS Code’s list, and the logpoints replace it', async () => {
    const program = stoppingAt(CALL);
    const { on } = program;
    const breakpoints: number[] = [];
    on.model.observe(() => breakpoints.push(on.host.breakpoints().length), ['stopped']);
    assertRecorded(await trace(program));
    assert.deepEqual(breakpoints, [0, 0]);
    const [first, ...others] = program.lists();
    assert.deepEqual(first, [ENTRY]);
    assert.deepEqual(others, [[], [3, 4, 5, 6], []]);
  });

  it('stays until the requested call begins, and has its condition', async () => {
    const nth = stoppingAt([{ line: 3, name: F, hit: [ENTRY] }, ...CALL]);
    assertRecorded(await trace(nth, { call: 2 }));
    assert.equal(nth.on.host.sent('continue').length, 2);
    const meant = stoppingAt(CALL);
    assertRecorded(await trace(meant, { condition: 'a == 1' }));
    assert.equal(meant.first()['condition'], 'a == 1');
  });

  it('is not taken for a breakpoint of the person in a function with the same short name', async () => {
    const program = stoppingAt(CALL);
    const { on } = program;
    const theirs = on.host.addBreakpoint({ kind: 'function', functionName: 'other.f' });
    assertRecorded(await trace(program));
    assert.equal(on.services.breakpoints.hitsOf(theirs), 0);
  });

  it('gives way to a breakpoint that the person sets on its line in the meantime', async () => {
    const sets = async (on: Bench): Promise<void> => {
      on.host.addBreakpoint({ kind: 'source', path: FILE, line: ENTRY });
      await settled();
    };
    const program = stoppingAt([
      { line: 3, name: F, hit: [ENTRY], before: sets },
      { line: 9, name: MAIN },
    ]);
    const answer = await trace(program);
    assert.notEqual(answer['reached'], false, JSON.stringify(answer));
    assert.equal(program.on.host.breakpoints().length, 1);
    assert.deepEqual(program.lists().at(-1), [ENTRY]);
  });

  it('ends the call if the person sets a breakpoint on its line that may pass calls', async () => {
    const sets = async (on: Bench): Promise<void> => {
      on.host.addBreakpoint({ kind: 'source', path: FILE, line: ENTRY, condition: 'a == 7' });
      await settled();
    };
    const program = stoppingAt([{ line: 3, name: F, hit: [ENTRY], before: sets }]);
    const answer = await trace(program);
    assert.deepEqual(
      [answer['reached'], answer['ended_by']],
      ['unknown', 'breakpoint'],
      JSON.stringify(answer),
    );
  });

  it('is in VS Code’s list if the adapter has no logpoints', async () => {
    const program = stoppingAt([{ line: 3, name: F, hit: [ENTRY] }]);
    program.on.host.emit('capabilities', { capabilities: { supportsLogPoints: false } });
    const breakpoints: number[] = [];
    program.on.model.observe(
      () => breakpoints.push(program.on.host.breakpoints().length),
      ['stopped'],
    );
    await trace(program, { max_seconds: 1 });
    assert.equal(breakpoints[0], 1);
    assert.deepEqual(evaluatedIn(program), []);
  });

  it('is not at a stop for a breakpoint of the person in the function', async () => {
    const program = stoppingAt([{ line: 4, name: F, hit: [4] }]);
    program.on.host.addBreakpoint({ kind: 'source', path: FILE, line: 4 });
    const answer = await trace(program);
    assert.deepEqual(
      [answer['reached'], answer['ended_by']],
      ['unknown', 'breakpoint'],
      JSON.stringify(answer),
    );
    assert.deepEqual(program.lists().at(-1), [4]);
  });
});
