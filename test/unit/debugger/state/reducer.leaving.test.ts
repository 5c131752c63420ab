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
  told,
  withoutEpochs,
} from '../../support/events';
import type { DebugEvent } from '../../../../src/debugger/state/state';

const exits = (exitCode: number): DebugEvent => told('exited', { exitCode });
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
  it('by terminate ends, but may still stop: a program can refuse it', () => {
    const asking = after([...launched(), asked(9, 'terminate')]);
    assert.equal(sessionOf(asking).lifecycle, 'terminating');
    const again = sessionOf(after([stopped(1)], asking));
    assert.deepEqual([again.lifecycle, held(again)], ['stopped', [1]]);
  });

  it('by disconnect ends, and a stop that still comes is none to look at', () => {
    for (const last of [asked(9, 'disconnect'), told('terminated')]) {
      const late = sessionAfter([...launched(), last, stopped(1)]);
      assert.equal(late.lifecycle, 'terminating');
    }
  });

  it('by terminate and then by disconnect, lives no more', () => {
    const late = sessionAfter([
      ...launched(),
      asked(9, 'terminate'),
      asked(10, 'disconnect'),
      stopped(1),
    ]);
    assert.equal(late.lifecycle, 'terminating');
  });

  it('by disconnect and then by terminate, still lives no more', () => {
    const late = sessionAfter([
      ...launched(),
      asked(9, 'disconnect'),
      asked(10, 'terminate'),
      stopped(1),
    ]);
    assert.equal(late.lifecycle, 'terminating');
  });

  it('twice in the same way changes nothing', () => {
    for (const command of ['terminate', 'disconnect']) {
      const once = after([...launched(), asked(9, command)]);
      const twice = after([asked(10, command)], once);
      assert.deepEqual(withoutEpochs(twice), withoutEpochs(once), command);
    }
  });

  it('has an exit that is not its own', () => {
    for (const command of ['terminate', 'disconnect']) {
      const killed = sessionAfter([...launched(), asked(9, command), exits(143), ended()]);
      assert.deepEqual([killed.end?.reason, killed.endAsked], ['terminated', true], command);
    }
  });

  it('after it has ended by itself keeps the exit that it told', () => {
    const leave = asked(9, 'disconnect');
    for (const before of [
      [exits(3)],
      [told('terminated'), exits(3)],
      [exits(3), told('terminated')],
    ]) {
      const session = sessionAfter([...launched(), ...before, leave, ended()]);
      assert.deepEqual(
        [session.end?.reason, session.exitCode, session.endAsked],
        ['exited', 3, false],
      );
    }
  });

  it('after it said that it ends is not ended by whoever takes leave of it', () => {
    const session = sessionAfter([...launched(), told('terminated'), asked(9, 'disconnect')]);
    assert.equal(session.endAsked, false);
  });

  it('has no threads once it says that it ends, and says so once', () => {
    const leaving = after([...launched(), stopped(1), asked(9, 'disconnect')]);
    const over = after([told('terminated')], leaving);
    assert.equal(sessionOf(over).threads.size, 0);
    const again = after([told('terminated')], over);
    assert.deepEqual(withoutEpochs(again), withoutEpochs(over));
  });

  it('is not brought back to life by a thread that goes on or exits', () => {
    const leaving = [...launched(), stopped(1), asked(9, 'disconnect')];
    for (const event of [
      told('continued', { threadId: 1 }),
      told('thread', { reason: 'exited', threadId: 1 }),
    ])
      assert.equal(sessionAfter([...leaving, event]).lifecycle, 'terminating');
  });
});

describe('reducer: a program that is started anew', () => {
  const exited = [...launched(), exits(3)];

  it('has not exited yet', () => {
    const again = sessionAfter([...exited, asked(9, 'restart'), answered(9, 'restart')]);
    assert.equal(again.exitCode, undefined);
  });

  it('has, as long as its adapter has not answered, or where it refuses', () => {
    assert.equal(sessionAfter([...exited, asked(9, 'restart')]).exitCode, 3);
    assert.equal(
      sessionAfter([...exited, asked(9, 'restart'), refused(9, 'restart', 'no')]).exitCode,
      3,
    );
  });

  it('is not one that merely goes on', () => {
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

  it('is in none, unless its adapter asks for one', () => {
    assert.equal(sessionAfter(launched()).terminal, 'none');
    assert.equal(sessionAfter([...launched(), asks('startDebugging')]).terminal, 'none');
    assert.equal(sessionAfter([...launched(), asked(9, 'runInTerminal')]).terminal, 'none');
  });

  it('is unread until its output comes, read then, and ended when its shell says so', () => {
    assert.equal(terminal(), 'unread');
    assert.equal(terminal(printed), 'read');
    assert.equal(terminal(printed, shellReports(0)), 'ended');
  });

  it('that is read stays so, whatever else is printed or asked for', () => {
    const read = after([...inTerminal, printed]);
    assert.equal(after([printed, asks('runInTerminal')], read), read);
  });

  it('that has ended is not read by output that comes late, but by that of the next one', () => {
    assert.equal(terminal(printed, shellReports(0), printed), 'ended');
    assert.equal(terminal(printed, shellReports(0), asks('runInTerminal')), 'unread');
    assert.equal(terminal(printed, shellReports(0), asks('runInTerminal'), printed), 'read');
  });
});

describe('reducer: modules', () => {
  const module = (reason: string): DebugEvent => told('module', { reason, module: { id: 1 } });
  const modules = (...reasons: readonly string[]): number =>
    sessionAfter([...launched(), ...reasons.map(module)]).modules;

  it('are counted as they come and go; a changed one is the same one', () => {
    assert.equal(modules('new', 'new', 'changed', 'changed', 'new', 'removed'), 2);
  });

  it('are never less than none', () => {
    assert.equal(modules('removed', 'removed', 'new'), 1);
  });
});

describe('reducer: a launch that is refused without a word', () => {
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

/** What the adapter asks of VS Code. */
function asks(command: string): DebugEvent {
  return {
    type: 'fromAdapter',
    key: 'a',
    at: AT,
    message: { seq: 1, type: 'request', command, arguments: {} },
  };
}
