import { strict as assert } from 'node:assert';
import { PlacesAhead } from '../../../../../src/tools/trace/function/placesAhead';
import { stackOf, type ThreadStack } from '../../../../../src/tools/trace/function/threadStack';
import { javaScriptFunctions } from '../../../../../src/tools/trace/function/source/javascriptFunctions';
import { launched } from '../../../support/events';
import { bench, FILE, type Bench } from '../../../support/services';

const [FOUND] = javaScriptFunctions('function f(a) {\n  return a;\n}', FILE);
const COMMAND = 'breakpointLocations';

/** A program with a debugger of this type, and the locations that are requested from it ahead. */
function stops(sessionType: string, isIncluded = true): { on: Bench; ahead: PlacesAhead } {
  assert.ok(FOUND);
  const on = bench();
  for (const event of launched('a', { sessionType })) on.model.dispatch(event);
  on.host.on(COMMAND, () => ({ breakpoints: [{ line: 2, column: 3 }] }));
  const place = { path: FILE, found: FOUND };
  return { on, ahead: new PlacesAhead(on.services, place, () => isIncluded, on.call.signal) };
}

async function seen(on: Bench): Promise<ThreadStack> {
  const stack = await stackOf(on.services, 'a', 1, on.call.signal, 'frames');
  assert.ok(stack);
  return stack;
}

describe('the locations where a debugger can stop in a function', () => {
  it('are requested while the stop is being delivered, and known at that stop only', async () => {
    const { on, ahead } = stops('pwa-node');
    on.host.emit('stopped', { reason: 'breakpoint', threadId: 1 });
    assert.equal(on.host.sent(COMMAND).length, 1);
    const first = await seen(on);
    assert.deepEqual((await ahead.at(first))?.own, { breakpoints: [{ line: 2, column: 3 }] });
    on.host.emit('continued', { threadId: 1 });
    on.host.emit('stopped', { reason: 'step', threadId: 1 });
    assert.equal(await ahead.at(await seen(on)), undefined);
    ahead.dispose();
    on.host.emit('stopped', { reason: 'breakpoint', threadId: 1 });
    assert.equal(on.host.sent(COMMAND).length, 1);
  });

  it('are not known if the debugger refuses', async () => {
    const { on, ahead } = stops('pwa-node');
    on.host.on(COMMAND, () => {
      throw new Error('not now');
    });
    on.host.emit('stopped', { reason: 'breakpoint', threadId: 1 });
    assert.equal(await ahead.at(await seen(on)), undefined);
  });

  it('are not requested from another program, or from a debugger that does not need it', () => {
    for (const { on } of [stops('pwa-node', false), stops('debugpy')]) {
      on.host.emit('stopped', { reason: 'breakpoint', threadId: 1 });
      assert.deepEqual(on.host.sent(COMMAND), []);
    }
  });
});
