import { strict as assert } from 'node:assert';
import {
  after,
  answered,
  asked,
  AT,
  created,
  ended,
  held,
  launched,
  refused,
  sessionAfter,
  sessionOf,
  stopped,
  eventOf,
  withoutEpochs,
} from '../../support/events';
import type { DebugEvent } from '../../../../src/debugger/state/state';

const exits = (exitCode: number): DebugEvent => eventOf('exited', { exitCode });
const printed: DebugEvent = { type: 'terminalOutput', key: 'a', at: AT, text: 'hello' };
const shellReports = (code: number): DebugEvent => ({
  type: 'programExited',
  key: 'a',
  at: AT,
  code,
  signal: undefined,
  by: 'shell',
});

describe('reducer: a session that is asked to end', () => {
  it('ends after terminate, but may still stop, because a program can refuse it', () => {
    const asking = after([...launched(), asked(9, 'terminate')]);
    assert.equal(sessionOf(asking).lifecycle, 'terminating');
    const again = sessionOf(after([stopped(1)], asking));
    assert.deepEqual([again.lifecycle, held(again)], ['stopped', [1]]);
  });

  it('ends after disconnect or terminated, and a stop that still arrives is ignored', () => {
    for (const last of [asked(9, 'disconnect'), eventOf('terminated')]) {
      const late = sessionAfter([...launched(), last, stopped(1)]);
      assert.equal(late.lifecycle, 'terminating');
    }
  });

  it('stays terminating after terminate and then disconnect', () => {
    const late = sessionAfter([
      ...launched(),
      asked(9, 'terminate'),
      asked(10, 'disconnect'),
      stopped(1),
    ]);
    assert.equal(late.lifecycle, 'terminating');
  });

  it('stays terminating after disconnect and then terminate', () => {
    const late = sessionAfter([
      ...launched(),
      asked(9, 'disconnect'),
      asked(10, 'terminate'),
      stopped(1),
    ]);
    assert.equal(late.lifecycle, 'terminating');
  });

  it('does not change if it is asked twice in the same way', () => {
    for (const command of ['terminate', 'disconnect']) {
      const once = after([...launched(), asked(9, command)]);
      const twice = after([asked(10, command)], once);
      assert.deepEqual(withoutEpochs(twice), withoutEpochs(once), command);
    }
  });

  it('does not count an exit code that follows as the program’s own exit', () => {
    for (const command of ['terminate', 'disconnect']) {
      const killed = sessionAfter([...launched(), asked(9, command), exits(143), ended()]);
      assert.deepEqual([killed.end?.reason, killed.endRequested], ['terminated', true], command);
    }
  });

  it('keeps the exit code that it reported if it had already ended by itself', () => {
    const leave = asked(9, 'disconnect');
    for (const before of [
      [exits(3)],
      [eventOf('terminated'), exits(3)],
      [exits(3), eventOf('terminated')],
    ]) {
      const session = sessionAfter([...launched(), ...before, leave, ended()]);
      assert.deepEqual(
        [session.end?.reason, session.exitCode, session.endRequested],
        ['exited', 3, false],
      );
    }
  });

  it('does not count as ended by request if it had already reported its end', () => {
    const session = sessionAfter([...launched(), eventOf('terminated'), asked(9, 'disconnect')]);
    assert.equal(session.endRequested, false);
  });

  it('does not count as ended by request if its adapter was gone before', () => {
    // Ruby's debugger closes the connection when the program ends, and announces nothing.
    const gone: DebugEvent = { type: 'adapterFailed', key: 'a', at: AT, message: 'closed' };
    const session = sessionAfter([...launched(), gone, asked(9, 'disconnect'), ended()]);
    assert.deepEqual([session.end?.reason, session.endRequested], ['adapterGone', false]);
  });

  it('has no threads once it reports its end, and a second report changes nothing', () => {
    const leaving = after([...launched(), stopped(1), asked(9, 'disconnect')]);
    const over = after([eventOf('terminated')], leaving);
    assert.equal(sessionOf(over).threads.size, 0);
    const again = after([eventOf('terminated')], over);
    assert.deepEqual(withoutEpochs(again), withoutEpochs(over));
  });

  it('stays terminating if a thread continues or exits', () => {
    const leaving = [...launched(), stopped(1), asked(9, 'disconnect')];
    for (const event of [
      eventOf('continued', { threadId: 1 }),
      eventOf('thread', { reason: 'exited', threadId: 1 }),
    ])
      assert.equal(sessionAfter([...leaving, event]).lifecycle, 'terminating');
  });
});

describe('reducer: a program that is restarted', () => {
  const exited = [...launched(), exits(3)];

  it('has no exit code any more', () => {
    const again = sessionAfter([...exited, asked(9, 'restart'), answered(9, 'restart')]);
    assert.equal(again.exitCode, undefined);
  });

  it('keeps its exit code until the adapter responds, or if the adapter refuses', () => {
    assert.equal(sessionAfter([...exited, asked(9, 'restart')]).exitCode, 3);
    assert.equal(
      sessionAfter([...exited, asked(9, 'restart'), refused(9, 'restart', 'no')]).exitCode,
      3,
    );
  });

  it('keeps its exit code if it merely continues', () => {
    assert.equal(
      sessionAfter([...exited, asked(9, 'continue'), answered(9, 'continue')]).exitCode,
      3,
    );
  });
});

describe('reducer: a program in a terminal', () => {
  const inTerminal = [...launched(), asks('runInTerminal')];
  const terminal = (...more: readonly DebugEvent[]): string =>
    sessionAfter([...inTerminal, ...more]).terminal;

  it('has no terminal unless its adapter requests one', () => {
    assert.equal(sessionAfter(launched()).terminal, 'none');
    assert.equal(sessionAfter([...launched(), asks('startDebugging')]).terminal, 'none');
    assert.equal(sessionAfter([...launched(), asked(9, 'runInTerminal')]).terminal, 'none');
  });

  it('is unread until its output arrives, then read, and ended when its shell reports it', () => {
    assert.equal(terminal(), 'unread');
    assert.equal(terminal(printed), 'read');
    assert.equal(terminal(printed, shellReports(0)), 'ended');
  });

  it('stays read, whatever else is printed or requested', () => {
    const read = after([...inTerminal, printed]);
    assert.equal(after([printed, asks('runInTerminal')], read), read);
  });

  it('stays ended if output arrives late, and is read again with the output of the next terminal', () => {
    assert.equal(terminal(printed, shellReports(0), printed), 'ended');
    assert.equal(terminal(printed, shellReports(0), asks('runInTerminal')), 'unread');
    assert.equal(terminal(printed, shellReports(0), asks('runInTerminal'), printed), 'read');
  });
});

describe('reducer: modules', () => {
  const module = (reason: string): DebugEvent => eventOf('module', { reason, module: { id: 1 } });
  const modules = (...reasons: readonly string[]): number =>
    sessionAfter([...launched(), ...reasons.map(module)]).modules;

  it('are counted as they are loaded and unloaded; a changed one is the same module', () => {
    assert.equal(modules('new', 'new', 'changed', 'changed', 'new', 'removed'), 2);
  });

  it('are never fewer than zero', () => {
    assert.equal(modules('removed', 'removed', 'new'), 1);
  });
});

describe('reducer: a launch that is refused without a message', () => {
  it('ends without a message', () => {
    const session = sessionAfter([
      created(),
      asked(1, 'launch'),
      {
        type: 'fromAdapter',
        key: 'a',
        at: AT,
        message: { seq: 2, type: 'response', request_seq: 1, command: 'launch', success: false },
      },
    ]);
    assert.deepEqual(session.end, { reason: 'launchFailed', at: AT, message: undefined });
  });
});

/** A request that the adapter sends to VS Code. */
function asks(command: string): DebugEvent {
  return {
    type: 'fromAdapter',
    key: 'a',
    at: AT,
    message: { seq: 1, type: 'request', command, arguments: {} },
  };
}
