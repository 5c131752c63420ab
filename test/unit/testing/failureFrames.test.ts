import { strict as assert } from 'node:assert';
import { stoppedFrames } from '../../../src/testing/run/failureFrames';
import { created, eventOf } from '../support/events';
import { bench, FILE } from '../support/services';

/** The values of variables, in the order in which they are shown, in a stop at line 3. */
async function shown(
  variables: readonly { readonly name: string; readonly value: string; readonly type: string }[],
  members: readonly object[] = [],
): Promise<Readonly<Record<string, string>> | undefined> {
  const on = bench();
  on.workspace.files.set(FILE, 'func TestA() {\n\tgot := double(n)\n\tif got != row.want {\n');
  const reference = members.length === 0 ? 0 : 99;
  on.host.on('variables', ({ variablesReference }) => ({
    variables:
      variablesReference === 99
        ? members
        : variables.map((variable) => ({ ...variable, variablesReference: reference })),
  }));
  on.model.dispatch(created('a', { sessionType: 'go' }));
  on.model.dispatch(eventOf('stopped', { reason: 'breakpoint', threadId: 1 }, 'a'));
  const signal = new AbortController().signal;
  const [frame] = await stoppedFrames(on.services, on.session('a'), 1, () => true, signal);
  return frame?.variables;
}

describe('the variables of a Go frame', () => {
  it('have no members of types without a name before their values', async () => {
    const struct = 'struct { cart.name string; cart.want struct { cart.x int } }';
    assert.deepEqual(
      await shown([
        { name: 'row', type: struct, value: `${struct} {name: "two", want: {x: 5}}` },
        { name: 'at', type: `*${struct}`, value: `*${struct} {name: "two", want: {x: 5}}` },
        { name: 'rows', type: `[]${struct}`, value: `[]${struct} len: 1, cap: 1, [{name: "a"}]` },
        { name: 'cut', type: `[]${struct}`, value: '[]struct { cart.name string; cart.wa...' },
      ]),
      {
        row: '{name: "two", want: {x: 5}}',
        at: '{name: "two", want: {x: 5}}',
        rows: '[]struct{…} len: 1, cap: 1, [{name: "a"}]',
        cut: '[]struct{…}…',
      },
    );
  });

  it('have the members of a value that was cut before the end of its type', async () => {
    const cut = { name: 'row', type: 'struct { cart.name string }', value: 'struct { cart.na...' };
    const members = [{ name: 'name', value: '"two"', variablesReference: 0 }];
    assert.deepEqual(await shown([cut], members), { row: '{name: "two"}' });
  });

  it('have those first that the line uses, functions last, and no results that are not returned yet', async () => {
    const int = { type: 'int', value: '1' };
    const variables = await shown([
      { name: '~r0', ...int },
      { name: 'double', type: 'func(int) int', value: 'cart.double' },
      { name: 'other', ...int },
      { name: 'n', ...int },
      { name: 'row', ...int },
      { name: 'got', ...int },
    ]);
    assert.deepEqual(Object.keys(variables ?? {}), ['row', 'got', 'n', 'other', 'double']);
  });
});
