import { strict as assert } from 'node:assert';
import { IssuedReferences } from '../../../../src/debugger/state/issuedReferences';

/** The references that an adapter has issued in these responses. */
function after(
  ...answers: readonly (readonly [body: object, scopesOf?: number])[]
): IssuedReferences {
  const issued = new IssuedReferences();
  for (const [body, scopesOf] of answers) issued.note({ ...body }, scopesOf);
  return issued;
}
const hasReference = (issued: IssuedReferences, variablesReference: unknown): boolean =>
  issued.has('variables', { variablesReference });

describe('issued references', () => {
  it('include the frames of a stack, for their scopes and for expressions in them', () => {
    const issued = after([{ stackFrames: [{ id: 3 }, { id: 'x' }, null] }]);
    assert.deepEqual([issued.hasFrame(3), issued.hasFrame(4)], [true, false]);
    for (const command of ['scopes', 'evaluate']) {
      assert.equal(issued.has(command, { frameId: 3 }), true);
      assert.equal(issued.has(command, { frameId: 4 }), false);
      assert.equal(issued.has(command, {}), false);
    }
  });

  it('include the references of scopes, variables and values', () => {
    const issued = after(
      [{ scopes: [{ variablesReference: 7 }] }, 3],
      [{ variables: [{ variablesReference: 8 }, {}] }],
      [{ result: 'x', variablesReference: 9 }],
    );
    for (const reference of [7, 8, 9]) assert.equal(hasReference(issued, reference), true);
    for (const reference of [6, 0, undefined, '7'])
      assert.equal(hasReference(issued, reference), false);
  });

  it('do not include references of values without members', () => {
    const issued = after([{ variables: [{ variablesReference: 0 }, { variablesReference: -1 }] }]);
    assert.deepEqual([hasReference(issued, 0), hasReference(issued, -1)], [false, false]);
  });

  it('are not required by other requests, because threads outlive a stop', () => {
    assert.equal(new IssuedReferences().has('stackTrace', { threadId: 1 }), true);
  });

  it('include only the first thousand of a long list', () => {
    const list = <Entry>(entry: (index: number) => Entry) =>
      Array.from({ length: 1001 }, (_, index) => entry(index + 1));
    const issued = after(
      [{ stackFrames: list((id) => ({ id })) }],
      [{ variables: list((variablesReference) => ({ variablesReference })) }],
    );
    assert.deepEqual([issued.hasFrame(1000), issued.hasFrame(1001)], [true, false]);
    assert.deepEqual([hasReference(issued, 1000), hasReference(issued, 1001)], [true, false]);
  });

  it('are empty after they are cleared', () => {
    const scopes = { scopes: [{ variablesReference: 7 }] };
    const issued = after([{ stackFrames: [{ id: 3 }] }], [scopes, 3], [scopes, 4]);
    issued.clear();
    assert.deepEqual(
      [issued.hasFrame(3), hasReference(issued, 7), issued.isOfSeveralFrames(7)],
      [false, false, false],
    );
  });
});

describe('issued references: the reference of a scope', () => {
  const scopes = (...references: readonly unknown[]) => ({
    scopes: references.map((variablesReference) => ({ variablesReference })),
  });

  it('belongs to several frames if their scopes have the same reference', () => {
    const issued = after([scopes(1, 2), 10], [scopes(1, 3), 11], [scopes(2), 10]);
    assert.deepEqual(
      [1, 2, 3, 4].map((reference) => issued.isOfSeveralFrames(reference)),
      [true, false, false, false],
    );
  });

  it('does not count if the scope has no members', () => {
    const issued = after([scopes(0, -1), 10], [scopes(0, -1), 11]);
    assert.deepEqual([issued.isOfSeveralFrames(0), issued.isOfSeveralFrames(-1)], [false, false]);
  });
});
