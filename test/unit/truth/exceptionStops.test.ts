import { strict as assert } from 'node:assert';
import { exceptionStop } from '../../../src/tools/trace/function/exceptionStop';
import { answered, asked, created, eventOf } from '../support/events';
import { frameAt, stackIn } from '../support/stacks';
import { bench, FILE } from '../support/services';

/** A stop at an exception. The call is `total`, in thread 1 of session `a`. */
interface Stop {
  readonly session: 'a' | 'b';
  readonly threadId: 1 | 2;
  readonly filters: readonly string[];
  /** DAP `ExceptionBreakMode`. Adapters may leave it out. */
  readonly breakMode: 'always' | 'unhandled' | undefined;
  /** The top frame: of the call, of a function that it has called, or of its caller. */
  readonly top: 'total' | 'read' | 'main';
}

function* stops(): Generator<Stop> {
  for (const session of ['a', 'b'] as const)
    for (const threadId of [1, 2] as const)
      for (const filters of [[], ['uncaught'], ['uncaught', 'raised'], ['all']])
        for (const breakMode of ['always', 'unhandled', undefined] as const)
          for (const top of ['total', 'read', 'main'] as const)
            yield { session, threadId, filters, breakMode, top };
}

async function seenAt({ session, threadId, filters, breakMode, top }: Stop) {
  const on = bench();
  const frame = (id: number, name: string, line: number) => ({
    ...{ id, name, line, column: 1, source: { path: FILE } },
  });
  const [inner, total, main] = [frame(1, 'read', 2), frame(2, 'total', 5), frame(3, 'main', 9)];
  const stackFrames = { read: [inner, total, main], total: [total, main], main: [main] }[top];
  on.host
    .on('stackTrace', () => ({ stackFrames, totalFrames: stackFrames.length }))
    .on('exceptionInfo', () => ({ exceptionId: 'KeyError', description: "'nut'", breakMode }));
  for (const key of ['a', 'b']) {
    on.model.dispatch(created(key, { sessionType: 'debugpy' }));
    on.model.dispatch(asked(1, 'initialize', {}, key));
    on.model.dispatch(answered(1, 'initialize', { supportsExceptionInfoRequest: true }, key));
    on.model.dispatch(eventOf('initialized', {}, key));
    on.model.dispatch(
      eventOf('stopped', { reason: 'step', threadId: 1, allThreadsStopped: true }, key),
    );
  }
  const { exceptions } = on.services;
  on.model.observe((event) => exceptions.observe(event), exceptions.observes);
  on.model.dispatch(asked(50, 'setExceptionBreakpoints', { filters }, session));
  const call = stackIn(
    [frameAt('total', { line: 4 }), frameAt('main', { line: 9 })],
    'debugpy',
    on,
  );
  on.model.dispatch(
    eventOf('stopped', { reason: 'exception', threadId, allThreadsStopped: true }, session),
  );
  return await exceptionStop(on.services, call, session, threadId, on.call.signal);
}

describe('a stop at an exception during a trace', () => {
  it('ends the call only if it is of its thread, and nothing in the call can catch it', async () => {
    for (const stop of stops()) {
      const { exception, leaves } = await seenAt(stop);
      const text = JSON.stringify(stop);
      const isOwn = stop.session === 'a' && stop.threadId === 1;
      assert.equal(exception, isOwn ? "KeyError: 'nut'" : undefined, text);
      const isCaughtToo = stop.filters.some((filter) => filter !== 'uncaught');
      const isOver = stop.top === 'main' || stop.breakMode === 'unhandled' || !isCaughtToo;
      assert.equal(leaves, isOwn && isOver, text);
    }
  });
});
