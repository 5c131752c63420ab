import { strict as assert } from 'node:assert';
import { debuggerGone, lostSight } from '../../../../src/tools/reports/lostSight';
import { created, ended, eventOf } from '../../support/events';
import { bench, running, type Bench } from '../../support/services';

const sessionsOf = ({ services }: Bench) => [...services.model.state.sessions.values()];

function ran(sessionType: string): Bench {
  const on = bench();
  running(on);
  on.model.dispatch(created('a', { sessionType }));
  return on;
}

describe('what a debugger could not see', () => {
  it('is what the program did after its debugger was gone', () => {
    const on = ran('lldb-dap');
    assert.equal(lostSight(on.services, sessionsOf(on)), undefined);
    on.model.dispatch({
      type: 'adapterExited',
      key: 'a',
      at: 0,
      code: undefined,
      signal: 'SIGSEGV',
    });
    on.model.dispatch(ended());
    const gone = debuggerGone(sessionsOf(on)) ?? '';
    assert.match(gone, /lldb-dap.*SIGSEGV/);
    assert.equal(lostSight(on.services, sessionsOf(on)), gone);
  });

  it('is nothing if the program ended, also if its debugger ended then', () => {
    const on = ran('lldb-dap');
    on.model.dispatch(eventOf('exited', { exitCode: 0 }));
    on.model.dispatch(eventOf('terminated'));
    on.model.dispatch({ type: 'adapterExited', key: 'a', at: 0, code: 1, signal: undefined });
    on.model.dispatch(ended());
    assert.equal(debuggerGone(sessionsOf(on)), undefined);
  });
});
