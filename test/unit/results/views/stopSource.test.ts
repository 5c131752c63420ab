import { strict as assert } from 'node:assert';
import { sourceLines, type ReadSource } from '../../../../src/results/views/stopSource';
import { AT, launched, sessionAfter } from '../../support/events';
import { never } from '../../support/fakeHost';
import { FILE } from '../../support/services';

const session = sessionAfter(launched());

const shown = (
  readSource: ReadSource,
  line = 2,
  path: string | undefined = FILE,
  signal = new AbortController().signal,
) =>
  sourceLines(
    readSource,
    session,
    {
      id: 1,
      name: 'f',
      path,
      sourceName: undefined,
      line,
      column: 1,
      subtle: false,
      isLabel: false,
      instructionPointerReference: undefined,
    },
    signal,
  );
const reading =
  (lines: readonly string[], changedAt?: number): ReadSource =>
  () =>
    Promise.resolve({ lines, changedAt });

describe('the source lines of a stop', () => {
  it('have no trailing blanks, and keep their leading blanks', async () => {
    assert.deepEqual(await shown(reading(['a {  ', '  b();\t', '}'])), {
      source_lines: [' 1 a {', '>2   b();', ' 3 }'],
    });
  });

  it('are cut if a line is very long', async () => {
    const { source_lines } = await shown(reading(['x'.repeat(9000)]), 1);
    assert.equal(source_lines?.[0], `>1 ${'x'.repeat(2000)}`);
  });

  it('are missing for a location that is not a file', async () => {
    const unread: ReadSource = () => assert.fail('nothing is read');
    assert.deepEqual(await shown(unread, 1, 'main.js'), {});
    assert.deepEqual(
      await sourceLines(unread, session, undefined, new AbortController().signal),
      {},
    );
  });

  it('may be of a file that was changed since the session started', async () => {
    const { startedAt } = session;
    assert.equal(startedAt, AT);
    for (const [changedAt, isChanged] of [
      [startedAt + 1, true],
      [startedAt, undefined],
    ] as const)
      assert.equal(
        (await shown(reading(['a'], changedAt), 1)).source_changed_since_start,
        isChanged,
      );
  });

  it('are missing if the call ends before the file is read', async () => {
    const controller = new AbortController();
    const lines = shown(never, 1, FILE, controller.signal);
    controller.abort();
    assert.deepEqual(await lines, {});
  });

  it('are missing if the call has already ended', async () => {
    assert.deepEqual(await shown(never, 1, FILE, AbortSignal.abort()), {});
  });
});
