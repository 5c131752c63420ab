import { strict as assert } from 'node:assert';
import { DebuggerError } from '../../../../src/debugger/debuggerError';
import {
  noting,
  readLocals,
  type LocalVariables,
} from '../../../../src/debugger/inspection/localVariables';
import { never } from '../../support/fakeHost';
import { eventOf } from '../../support/events';
import { bench, paused, type Bench } from '../../support/services';

interface Scripted {
  readonly name: string;
  readonly members: readonly unknown[];
  readonly expensive?: boolean;
  readonly presentationHint?: string;
}

const variable = (name: string) => ({ name, value: '1', variablesReference: 0 });

/** A frame with these scopes, innermost first. */
function scoped(scopes: readonly Scripted[], limitMs?: number): Bench {
  const on = paused(bench(limitMs));
  on.host
    .on('scopes', () => ({
      scopes: scopes.map(({ members: _, ...scope }, index) => ({
        expensive: false,
        ...scope,
        variablesReference: index + 1,
      })),
    }))
    .on('variables', ({ variablesReference }) => ({
      variables: scopes[Number(variablesReference) - 1]?.members,
    }));
  return on;
}

async function locals(on: Bench, refusals: DebuggerError[] = []): Promise<LocalVariables> {
  const { inspector } = on.services;
  const place = inspector.placeOf(on.session(), 1);
  const frame = await inspector.top(on.session(), place, on.call.signal);
  assert.ok(frame);
  return await inspector.limited(on.call.signal, (limited) =>
    readLocals(inspector, on.session(), place, frame, limited, noting(refusals)),
  );
}

const names = ({ variables }: LocalVariables): unknown[] =>
  variables.map(({ variable: { name }, hiddenIn }) =>
    hiddenIn === undefined ? name : [name, hiddenIn],
  );

describe('the variables of a function', () => {
  it('are those of its own scopes, and a hidden one names its scope', async () => {
    const read = await locals(
      scoped([
        { name: 'Block', members: [variable('each')] },
        { name: 'Local', members: [variable('each'), variable('all')] },
        { name: 'Global', members: [variable('process')], expensive: true },
      ]),
    );
    assert.deepEqual(names(read), ['each', ['each', 'Local'], 'all']);
    assert.deepEqual([read.scope?.name, read.expensive], ['Local', []]);
  });

  it('belong to the outermost scope if no scope is named after them', async () => {
    const read = await locals(
      scoped([
        { name: 'Block: inner', members: [] },
        { name: 'Block: outer', members: [] },
      ]),
    );
    assert.equal(read.scope?.name, 'Block: outer');
    const other = await locals(scoped([{ name: 'Block of locals', members: [] }]));
    assert.deepEqual([other.scope?.name, other.expensive], ['Block of locals', []]);
  });

  it('are none outside of functions, and scopes that are too expensive to read are named', async () => {
    const read = await locals(
      scoped([
        { name: 'Module', members: [variable('x')], expensive: true },
        { name: 'Registers', members: [], expensive: true, presentationHint: 'registers' },
        { name: 'Statics', members: [], expensive: true, presentationHint: 'globals' },
        { name: 'Global', members: [], expensive: true },
        { name: 'Cheap globals', members: [], presentationHint: 'globals' },
      ]),
    );
    assert.deepEqual([read.scope, read.variables, read.expensive], [undefined, [], ['Module']]);
  });

  it('do not include the variables that pytest creates for an assertion', async () => {
    const members = ['@py_assert1', '@py_format3', 'total', '@py_other'].map(variable);
    assert.deepEqual(names(await locals(scoped([{ name: 'Locals', members }]))), [
      'total',
      '@py_other',
    ]);
  });

  it('are counted beyond two thousand over all scopes, and so are invalid entries', async () => {
    const many = (length: number, of: string): unknown[] =>
      Array.from({ length }, (_, index) => variable(`${of}${index}`));
    const read = await locals(
      scoped([
        { name: 'Block', members: ['none', 7, ...many(1498, 'inner')] },
        { name: 'Local', members: many(700, 'outer') },
        { name: 'Arguments', members: many(10, 'argument') },
      ]),
    );
    assert.deepEqual([read.variables.length, read.omitted, read.unreadable], [1998, 210, 2]);
    assert.equal(read.variables.at(-1)?.variable.name, 'outer499');
  });

  it('are read from the first scopes only, and the others are counted', async () => {
    const on = scoped(Array.from({ length: 20 }, () => ({ name: 'Block', members: [] })));
    const read = await locals(on);
    assert.deepEqual([read.omittedScopes, on.host.sent('variables').length], [4, 16]);
  });
});

describe('variables that cannot be read', () => {
  it('are reported and withhold no others', async () => {
    const on = scoped([
      { name: 'Block', members: [] },
      { name: 'Local', members: [variable('all')] },
    ]);
    on.host.on('variables', ({ variablesReference }) => {
      if (variablesReference === 1) throw new Error('not this one');
      return { variables: [variable('all')] };
    });
    const refusals: DebuggerError[] = [];
    assert.deepEqual(names(await locals(on, refusals)), ['all']);
    assert.deepEqual(
      refusals.map(({ problem }) => problem.kind),
      ['adapterRefused'],
    );
  });

  it('are all of them if the scopes request is not answered', async () => {
    const on = scoped([], 20);
    on.host.on('scopes', never);
    const refusals: DebuggerError[] = [];
    const read = await locals(on, refusals);
    assert.deepEqual([read.variables, read.scope, read.expensive], [[], undefined, []]);
    assert.deepEqual(
      refusals.map(({ problem }) => problem.kind),
      ['adapterTimeout'],
    );
  });

  it('withhold all variables if the reason is that the program continued or ended', async () => {
    for (const event of [
      eventOf('continued', { threadId: 1 }),
      { type: 'sessionEnded', key: 'a', at: 0 } as const,
    ]) {
      const on = scoped([{ name: 'Local', members: [] }]);
      on.host.on('variables', () => {
        on.model.dispatch(event);
        return { variables: [] };
      });
      await assert.rejects(locals(on));
    }
    const other = new DebuggerError({
      kind: 'notStopped',
      session: paused(bench()).session(),
      threadId: 1,
    });
    assert.throws(() => noting([])(other), other);
  });
});
