import { strict as assert } from 'node:assert';
import { ask } from '../../support/asking';
import { launched, stopped } from '../../support/events';
import { FakeInputFile } from '../../support/inputFiles';
import { bench, type Bench } from '../../support/services';

/** A program that is stopped in a frame. */
function at(sessionType: string, configuration: object = {}): Bench {
  const on = bench();
  for (const event of launched('a', {
    sessionType,
    configuration: { type: sessionType, request: 'launch', name: 'app', ...configuration },
  }))
    on.model.dispatch(event);
  on.model.dispatch(stopped(1, { reason: 'breakpoint' }));
  return on;
}

async function find(on: Bench, expression: string) {
  const { inspector } = on.services;
  const place = inspector.placeOf(on.session(), 1);
  const named = { functionName: 'main', file: 'main.js', line: 3 };
  const frame = inspector.handles.frame(place, 10, named);
  return await ask(on, 'find_writer', { expression, frame_id: frame });
}

describe('find_writer', () => {
  it('starts nothing for an expression that has no writer', async () => {
    const on = at('node');
    const { code, hint } = await find(on, 'order.total + 1');
    assert.equal(code, 'invalid_input');
    assert.match(String(hint), /order\.total.*Nothing was started/s);
    assert.equal(on.host.started.length, 0);
  });

  it('teaches what to do for a program that it cannot start again', async () => {
    const { code, hint } = await find(at('node', { request: 'attach' }), 'order.total');
    assert.equal(code, 'not_supported');
    assert.match(String(hint), /start_debugging/);
    const on = at('debugpy');
    on.services.inputs.keep(new FakeInputFile({ text: '', staysOpen: true }), {
      roots: () => [on.session()],
      isComing: false,
    });
    const asked = await find(on, 'order.total');
    assert.equal(asked.code, 'not_supported');
    assert.match(String(asked.hint), /stdin_file/);
  });

  it('names the other way for another debugger', async () => {
    const { code, hint } = await find(at('lldb-dap'), 'order.total');
    assert.equal(code, 'not_supported');
    assert.match(String(hint), /set_data_breakpoint/);
  });

  it('goes on from an answer, and says what it can go on with', async () => {
    const on = at('node');
    const { code, hint } = await ask(on, 'find_writer', { of: 'w7' });
    assert.equal(code, 'invalid_input');
    assert.match(String(hint), /answer_id.*Nothing was started/s);
    const id = on.services.writers.add({ inputs: [], followed: undefined });
    const unsure = await ask(on, 'find_writer', { of: id });
    assert.equal(unsure.code, 'invalid_input');
    assert.match(String(unsure.hint), /Stop where the value is wrong/);
    const both = await ask(on, 'find_writer', { of: id, session_id: 's1' });
    assert.equal(both.code, 'invalid_input');
    const none = await ask(on, 'find_writer', {});
    assert.equal(none.code, 'invalid_input');
    assert.match(String(none.hint), /expression/);
    assert.equal(on.host.started.length, 0);
  });
});
