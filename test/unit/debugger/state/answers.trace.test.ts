import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { RESUMES, type RequestMessage } from '../../../../src/debugger/protocol';
import { DebugModel } from '../../../../src/debugger/state/debugModel';
import { READ_COMMANDS } from '../../../../src/debugger/state/epochs';
import type { DebugEvent } from '../../../../src/debugger/state/state';
import { keysOf, messageOf, mixedBy, readTrace, traceNames } from '../../support/trace';

/** Events that outdate everything that was read before. */
const OUTDATING: ReadonlySet<string> = new Set([
  'stopped',
  'continued',
  'terminated',
  'invalidated',
]);

/** The read-only requests of one session, and those of them that were sent since the program last moved. */
interface Asked {
  readonly all: RequestMessage[];
  readonly current: Set<number>;
}

/** Replays messages and checks after each which responses are kept. */
class Replay {
  private readonly model = new DebugModel();
  private readonly sessions = new Map<string, Asked>();
  /** For each session, whether the response to each of its read-only requests was kept. */
  readonly kept = new Map<string, boolean[]>();
  late = 0;

  constructor(events: readonly DebugEvent[]) {
    for (const event of events) this.next(event);
  }

  private next(event: DebugEvent): void {
    this.model.dispatch(event);
    const message = messageOf(event);
    const asked = this.sessions.get(event.key) ?? { all: [], current: new Set() };
    this.sessions.set(event.key, asked);
    if (message?.type === 'request' && READ_COMMANDS.has(message.command)) {
      asked.all.push(message);
      asked.current.add(message.seq);
    }
    const moves =
      (message?.type === 'request' && RESUMES.has(message.command)) ||
      (message?.type === 'event' && OUTDATING.has(message.event));
    if (moves) this.assertNothingKnown(event.key, asked);
    if (message?.type === 'response' && message.success)
      this.answered(event.key, asked, message.requestSeq, message.body);
  }

  private assertNothingKnown(key: string, asked: Asked): void {
    asked.current.clear();
    for (const { command, arguments: args } of asked.all)
      assert.equal(this.model.answers.cached(key, command, args), undefined, `${key}: ${command}`);
  }

  /** A response to a request from before the program moved is not kept. A response that is kept is the newest. */
  private answered(key: string, asked: Asked, seq: number, body: object): void {
    const request = asked.all.find((one) => one.seq === seq);
    if (request === undefined) return;
    const known = this.model.answers.cached(key, request.command, request.arguments);
    const isKept = known === body;
    if (!asked.current.has(seq)) {
      this.late += 1;
      assert.equal(isKept, false, `${key}: ${request.command} ${seq} was asked before the move`);
    }
    this.kept.set(key, [...(this.kept.get(key) ?? []), isKept]);
  }
}

describe('answers: recorded runs of all adapters', () => {
  for (const name of traceNames()) {
    it(`${name}: knows at a stop only what was requested and answered at that stop`, () => {
      const kept = [...new Replay(readTrace(name)).kept.values()].flat();
      assert.ok(kept.filter(Boolean).length > 20, 'answers are kept in this run');
    });

    it(`${name}: keeps the same responses of a session, however its messages are interleaved with the others’`, () => {
      const trace = readTrace(name);
      const { kept } = new Replay(trace);
      const picks = fc.array(fc.nat({ max: keysOf(trace).length - 1 }), {
        minLength: trace.length,
        maxLength: trace.length,
      });
      fc.assert(
        fc.property(picks, (order) =>
          assert.deepEqual(new Replay(mixedBy(order, trace)).kept, kept),
        ),
        { numRuns: 30 },
      );
    });

    it(`${name}: does not keep a response that arrives after the program has moved`, () => {
      const trace = readTrace(name);
      let late = 0;
      for (const index of trace.keys()) late += new Replay(delayed(trace, index)).late;
      assert.ok(late > 10, `only ${late} answers came late`);
    });
  }
});

/**
 * The trace up to the next event by which the session moves, with one response moved behind that event. Empty if the
 * message is no response or no such event follows.
 */
function delayed(trace: readonly DebugEvent[], index: number): readonly DebugEvent[] {
  const answer = trace[index];
  const message = answer === undefined ? undefined : messageOf(answer);
  if (answer === undefined || message?.type !== 'response') return [];
  const move = trace.findIndex((event, at) => {
    const other = messageOf(event);
    return (
      at > index &&
      event.key === answer.key &&
      other?.type === 'event' &&
      OUTDATING.has(other.event)
    );
  });
  if (move === -1) return [];
  return [...trace.slice(0, index), ...trace.slice(index + 1, move + 1), answer];
}
