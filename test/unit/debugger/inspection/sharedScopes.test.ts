import { strict as assert } from 'node:assert';
import { getScopes } from '../../../../src/tools/core/scopes';
import { getVariables } from '../../../../src/tools/core/variables';
import { bench, FILE, paused, type Bench } from '../../support/services';

interface Shown {
  readonly name: string;
  readonly value: string;
}

/**
 * An adapter like lldb-dap: the scopes of every frame have the same references, which stand for the frame whose scopes
 * were requested last.
 */
function lldb(on: Bench): Bench {
  let last = Number.NaN;
  on.host.on('stackTrace', () => ({
    stackFrames: [10, 11].map((id) => ({
      id,
      name: `f${id}`,
      line: 3,
      column: 1,
      source: { path: id === 10 ? '/usr/lib/abort.c' : FILE },
    })),
    totalFrames: 2,
  }));
  on.host.on('scopes', ({ frameId }) => {
    last = Number(frameId);
    return {
      scopes: [
        { name: 'Locals', presentationHint: 'locals', variablesReference: 1 },
        { name: 'Registers', presentationHint: 'registers', variablesReference: 3 },
      ],
    };
  });
  on.host.on('variables', ({ variablesReference: reference }) => ({
    variables:
      reference === 1
        ? [{ name: `local${last}`, value: '1', variablesReference: 40 }]
        : reference === 40
          ? [{ name: 'member', value: '2', variablesReference: 0 }]
          : [{ name: 'rip', value: String(last), variablesReference: 0 }],
  }));
  return on;
}

const scopesOf = async (
  on: Bench,
  frameId: number | undefined,
): Promise<readonly { variables_reference: number }[]> =>
  (await getScopes.check({ frame_id: frameId }).run(on.services, on.call))['scopes'] as {
    variables_reference: number;
  }[];
const variablesOf = async (
  on: Bench,
  reference: number | undefined,
  more: object = {},
): Promise<readonly Shown[]> =>
  (
    await getVariables
      .check({ variables_reference: reference, start: 0, count: 100, depth: 1, ...more })
      .run(on.services, on.call)
  )['variables'] as Shown[];
const names = (shown: readonly Shown[] | undefined): string[] =>
  (shown ?? []).map((each) => each.name);

describe('an adapter whose scopes have the same references in every frame', () => {
  it('has separate variables for the own frame of an exception and for the innermost frame', async () => {
    const on = lldb(paused(bench(), 'a', 1, { reason: 'exception' }));
    const stop = await on.services.stops.report(on.session(), 1, on.call.signal);
    assert.deepEqual(names(stop.exception?.own_frame?.variables), ['local11']);
    assert.equal(stop.top_frame_variables, null);
    const [inner] = await scopesOf(on, stop.call_stack[0]?.frame_id);
    assert.deepEqual(names(await variablesOf(on, inner?.variables_reference)), ['local10']);
  });

  it('has the scopes of several frames read as each frame’s own, in any order and concurrently', async () => {
    const on = lldb(paused(bench()));
    const stop = await on.services.stops.report(on.session(), 1, on.call.signal);
    const [inner, outer] = [
      await scopesOf(on, stop.call_stack[0]?.frame_id),
      await scopesOf(on, stop.call_stack[1]?.frame_id),
    ];
    assert.notEqual(inner[0]?.variables_reference, outer[0]?.variables_reference);
    assert.deepEqual(names(await variablesOf(on, inner[0]?.variables_reference)), ['local10']);
    assert.deepEqual(names(await variablesOf(on, outer[0]?.variables_reference)), ['local11']);
    const both = await Promise.all(
      [inner, outer, inner].map((each) => variablesOf(on, each[0]?.variables_reference)),
    );
    assert.deepEqual(both.map(names), [['local10'], ['local11'], ['local10']]);
    assert.deepEqual(
      (await variablesOf(on, inner[1]?.variables_reference)).map((each) => each.value),
      ['10'],
    );
  });

  it('has the members of a variable in such a scope read as in any other', async () => {
    const on = lldb(paused(bench()));
    const stop = await on.services.stops.report(on.session(), 1, on.call.signal);
    await scopesOf(on, stop.call_stack[0]?.frame_id);
    const [outer] = await scopesOf(on, stop.call_stack[1]?.frame_id);
    const [local] = (await variablesOf(on, outer?.variables_reference, { depth: 2 })) as (Shown & {
      children?: Shown[];
      variables_reference: number;
    })[];
    assert.deepEqual(names(local?.children), ['member']);
    assert.deepEqual(names(await variablesOf(on, local?.variables_reference)), ['member']);
  });

  it('is set back to the frame that VS Code shows after each read of another frame', async () => {
    const on = lldb(paused(bench()));
    const stop = await on.services.stops.report(on.session(), 1, on.call.signal);
    on.host.focused = 10;
    const [outer] = await scopesOf(on, stop.call_stack[1]?.frame_id);
    const opened = async (): Promise<unknown> =>
      await on.host.request('a', 'variables', { variablesReference: 1 });
    assert.match(JSON.stringify(await opened()), /local10/);
    assert.deepEqual(names(await variablesOf(on, outer?.variables_reference)), ['local11']);
    assert.match(JSON.stringify(await opened()), /local10/);
    // A frame of an earlier stop does not belong to this stop.
    on.host.focused = 99;
    assert.deepEqual(names(await variablesOf(on, outer?.variables_reference)), ['local11']);
    assert.ok(on.host.sent('scopes').every(({ frameId }) => frameId !== 99));
  });

  it('receives no request twice while the scopes of only one frame are read', async () => {
    const on = lldb(paused(bench()));
    const stop = await on.services.stops.report(on.session(), 1, on.call.signal);
    const [inner] = await scopesOf(on, stop.call_stack[0]?.frame_id);
    assert.deepEqual(names(await variablesOf(on, inner?.variables_reference)), ['local10']);
    assert.deepEqual([on.host.sent('scopes').length, on.host.sent('variables').length], [1, 1]);
  });
});
