import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { HandleTable } from '../../../../src/debugger/inspection/handles';
import {
  fields,
  flagOf,
  listOf,
  numberOf,
  type EventMessage,
  type Fields,
  type ProtocolMessage,
  type RequestMessage,
} from '../../../../src/debugger/protocol';
import { DebugModel } from '../../../../src/debugger/state/debugModel';
import { validSince, type DebugEvent } from '../../../../src/debugger/state/state';
import { answered, asked, assertSound, eventOf } from '../../support/events';
import { delayedBy, messageOf, mixedBy, readTrace, traceNames } from '../../support/trace';

// The rules of freshness again, written from the protocol and not from the code.
const LOOKS: ReadonlySet<string> = new Set(['stackTrace', 'scopes', 'variables', 'exceptionInfo']);
const RESUMES: ReadonlySet<string> = new Set(['continue', 'next', 'stepIn', 'stepOut']);
const MAY_CHANGE: ReadonlySet<string> = new Set(['evaluate', 'setVariable', 'configurationDone']);
const MOVES: ReadonlySet<string> = new Set(['stopped', 'continued', 'terminated']);
const CHANGES: ReadonlySet<string> = new Set(['invalidated', 'memory']);

type Span = 'values' | 'frames';

/** What a message invalidates: the values that were read or, if the program moves, also the frames. */
function endedBy(event: DebugEvent, message: ProtocolMessage | undefined): Span | undefined {
  if (message === undefined) return event.type === 'sessionCreated' ? 'frames' : undefined;
  if (message.type === 'event') {
    if (MOVES.has(message.event)) return 'frames';
    return CHANGES.has(message.event) ? 'values' : undefined;
  }
  if (message.type === 'request' && RESUMES.has(message.command)) return 'frames';
  return MAY_CHANGE.has(message.command) ? 'values' : undefined;
}

/** The read-only requests of one session, and those of their responses that are current. */
class Looks {
  readonly all: RequestMessage[] = [];
  readonly frames = new Set<number>();
  readonly fresh = new Set<Fields>();
  readonly framesOfNow = new Set<number>();
  private readonly since: Record<Span, Set<number>> = { values: new Set(), frames: new Set() };
  late = 0;

  next(event: DebugEvent, message: ProtocolMessage | undefined): void {
    const span = endedBy(event, message);
    if (span !== undefined) this.end(span);
    if (message?.type === 'request' && LOOKS.has(message.command)) {
      this.all.push(message);
      this.since.frames.add(message.seq);
      // VS Code may still send a request about a frame of the previous stop. That request is not current, although the
      // id may be.
      const frameId = numberOf(message.arguments['frameId']);
      if (frameId === undefined || this.framesOfNow.has(frameId))
        this.since.values.add(message.seq);
    }
    if (message?.type !== 'response' || !message.success || !LOOKS.has(message.command)) return;
    if (this.since.values.has(message.requestSeq)) this.fresh.add(message.body);
    else this.late += 1;
    for (const frame of listOf(message.body['stackFrames'])) {
      const id = numberOf(fields(frame)['id']) ?? Number.NaN;
      this.frames.add(id);
      if (this.since.frames.has(message.requestSeq)) this.framesOfNow.add(id);
    }
  }

  private end(span: Span): void {
    this.since.values.clear();
    this.fresh.clear();
    if (span === 'values') return;
    this.since.frames.clear();
    this.framesOfNow.clear();
  }
}

interface Given {
  readonly key: string;
  readonly threadId: number;
  isOver: boolean;
}

/** Whether an event permanently invalidates the references that were issued for a thread. */
function overBy(threadId: number, { event, body }: EventMessage): boolean {
  const isMine = numberOf(body['threadId']) === threadId;
  switch (event) {
    case 'stopped':
      return isMine || body['threadId'] === undefined || flagOf(body['allThreadsStopped']) === true;
    case 'continued':
      return isMine || flagOf(body['allThreadsContinued']) !== false;
    default:
      return event === 'terminated' || event === 'invalidated';
  }
}

/** Replays messages. After each, compares the responses and references that are valid with those that may be. */
class Replay {
  private readonly model = new DebugModel();
  private readonly handles = new HandleTable(this.model);
  private readonly looks = new Map<string, Looks>();
  private readonly given = new Map<number, Given>();
  readonly counts = { known: 0, late: 0, refused: 0, kept: 0 };

  constructor(events: readonly DebugEvent[]) {
    for (const event of events) this.next(event);
    for (const { late } of this.looks.values()) this.counts.late += late;
  }

  private next(event: DebugEvent): void {
    const before = this.model.state;
    const good = new Set([...this.given.keys()].filter((number) => this.isGood(number)));
    const message = messageOf(event);
    this.model.dispatch(event);
    assertSound(before, this.model.state);
    const reads = this.looks.get(event.key) ?? new Looks();
    this.looks.set(event.key, reads);
    reads.next(event, message);
    this.assertAnswers(event.key, reads);
    this.assertHandles(event, message, good);
    this.give(event.key);
  }

  private assertAnswers(key: string, { all, fresh, frames, framesOfNow }: Looks): void {
    const { answers } = this.model;
    for (const { command, arguments: args } of all) {
      const known = answers.cached(key, command, args);
      if (known === undefined) continue;
      this.counts.known += 1;
      assert.ok(fresh.has(known), `${key}: ${command} is of now`);
    }
    for (const id of frames)
      assert.ok(!answers.hasFrame(key, id) || framesOfNow.has(id), `${key}: frame ${id} is of now`);
  }

  private assertHandles(
    { key, type }: DebugEvent,
    message: ProtocolMessage | undefined,
    good: ReadonlySet<number>,
  ): void {
    for (const [number, given] of this.given) {
      if (given.key === key) {
        given.isOver ||= type === 'sessionEnded';
        given.isOver ||= message?.type === 'event' && overBy(given.threadId, message);
      }
      if (given.isOver) {
        this.counts.refused += 1;
        assert.ok(!this.isGood(number), `${key}: ${number} is of an earlier stop`);
      } else if (given.key !== key || (message !== undefined && leavesFrames(message))) {
        this.counts.kept += 1;
        assert.equal(this.isGood(number), good.has(number), `${key}: ${number} is left as it was`);
      }
    }
  }

  private isGood(number: number): boolean {
    try {
      this.handles.resolveFrame(number);
      return true;
    } catch {
      return false;
    }
  }

  /** Issues a number for a frame of each stopped thread. */
  private give(key: string): void {
    const session = this.model.state.sessions.get(key);
    if (session === undefined) return;
    for (const threadId of session.threads.keys()) {
      const epoch = validSince(session, threadId);
      if (epoch === undefined) continue;
      const number = this.handles.frame({ sessionKey: key, threadId, epoch }, 1);
      if (!this.given.has(number)) this.given.set(number, { key, threadId, isOver: false });
    }
  }
}

/**
 * Whether a message leaves the frames valid. A request ends no frame before the adapter reports it, and messages that
 * change or read values end none.
 */
function leavesFrames(message: ProtocolMessage): boolean {
  if (message.type === 'request') return message.command !== 'disconnect';
  if (message.type === 'event') return message.event === 'memory' || message.event === 'output';
  return LOOKS.has(message.command) || MAY_CHANGE.has(message.command);
}

/** A message that VS Code or the adapter might send between any two messages of a session. */
interface Intrusion {
  readonly at: number;
  readonly what: 'evaluate' | 'setVariable' | 'memory' | 'invalidated';
}

function withIntrusions(
  intrusions: readonly Intrusion[],
  trace: readonly DebugEvent[],
): readonly DebugEvent[] {
  const mixed = [...trace];
  for (const [index, { at, what }] of intrusions.entries()) {
    const key = mixed[at]?.key;
    if (key === undefined || mixed[at]?.type === 'sessionCreated') continue;
    const seq = 1_000_000 + index;
    const sent =
      what === 'evaluate' || what === 'setVariable'
        ? [asked(seq, what, {}, key), answered(seq, what, {}, key)]
        : [eventOf(what, {}, key)];
    mixed.splice(at, 0, ...sent);
  }
  return mixed;
}

describe('freshness: recorded runs of all adapters, in any order that the protocol allows', () => {
  for (const name of traceNames()) {
    const trace = readTrace(name);
    const at = fc.nat({ max: trace.length - 1 });
    const runs = fc.record({
      picks: fc.array(fc.nat({ max: 7 }), {
        minLength: 2 * trace.length,
        maxLength: 2 * trace.length,
      }),
      delays: fc.array(fc.record({ at, by: fc.integer({ min: 1, max: 30 }) }), {
        minLength: 30,
        maxLength: 90,
      }),
      intrusions: fc.array(
        fc.record<Intrusion>({
          at,
          what: fc.constantFrom('evaluate', 'setVariable', 'memory', 'invalidated'),
        }),
        { maxLength: 12 },
      ),
    });

    it(`${name}: knows nothing from before a move or a change after it, and no frame of an earlier stop stays valid`, () => {
      const { counts } = new Replay(trace);
      assert.ok(counts.known > 100, 'answers are known in this run');
      assert.ok(counts.refused > 100 && counts.kept > 100, 'frames are given out in this run');
      let late = 0;
      fc.assert(
        fc.property(runs, ({ picks, delays, intrusions }) => {
          const mixed = mixedBy(picks, delayedBy(delays, withIntrusions(intrusions, trace)));
          assert.ok(mixed.length >= trace.length);
          late += new Replay(mixed).counts.late;
        }),
        { numRuns: 25 },
      );
      assert.ok(late > 25, `only ${late} answers came late`);
    });
  }
});
