import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { TrackedLines } from '../../../../src/editor/recorded/trackedLines';

const edit = (from: [number, number], to: [number, number], text: string) => ({
  start: { line: from[0], character: from[1] },
  end: { line: to[0], character: to[1] },
  text,
});

describe('tracked lines', () => {
  const after = (...change: Parameters<typeof edit>): readonly (number | undefined)[] => {
    const lines = new TrackedLines([1, 2, 3, 4]);
    lines.edit(edit(...change));
    return [1, 2, 3, 4].map((line) => lines.indexOf(line));
  };

  it('move with lines that are inserted above', () => {
    assert.deepEqual(after([0, 0], [0, 0], 'new\n'), [1, 2, 3, 4]);
    assert.deepEqual(after([0, 3], [0, 3], '\nnew'), [0, 2, 3, 4]);
    assert.deepEqual(after([1, 0], [1, 0], '\n'), [0, 2, 3, 4]);
  });

  it('are removed with their text', () => {
    // The second line is where the third one is now. Its text is another.
    assert.deepEqual(after([1, 0], [2, 0], ''), [0, 1, 1, 2]);
    assert.deepEqual(after([0, 2], [2, 1], ''), [0, undefined, undefined, 1]);
  });

  it('stay where only their own text changes', () => {
    assert.deepEqual(after([1, 2], [1, 5], 'x'), [0, 1, 2, 3]);
  });

  it('find the recorded line at or above an index', () => {
    const lines = new TrackedLines([2, 5]);
    assert.deepEqual(
      [0, 1, 3, 4, 99].map((at) => lines.recordedAt(at)),
      [undefined, 2, 2, 5, 5],
    );
  });

  it('are found after any edits outside of them', () => {
    const original = ['a', 'b', 'c', 'd', 'e', 'f'];
    const change = fc.record({
      from: fc.nat(5),
      span: fc.nat(2),
      character: fc.nat(1),
      endCharacter: fc.nat(1),
      text: fc.constantFrom('', 'x', '\n', 'x\n', '\ny', 'x\ny\nz\n'),
    });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 4 }), (changes) => {
        const lines = new TrackedLines(original.map((_, index) => index + 1));
        let text = original.join('\n');
        // A line that an edit splits and another one puts together again may be lost.
        const touched = new Set<string>();
        for (const { from, span, character, endCharacter, text: added } of changes) {
          const now = text.split('\n');
          const start = Math.min(from, now.length - 1);
          const end = Math.min(start + span, now.length - 1);
          const first = Math.min(character, now[start]?.length ?? 0);
          const last = Math.max(
            Math.min(endCharacter, now[end]?.length ?? 0),
            start === end ? first : 0,
          );
          for (const line of now.slice(start, end + 1)) touched.add(line);
          const head = [...now.slice(0, start), (now[start] ?? '').slice(0, first)].join('\n');
          const tail = [(now[end] ?? '').slice(last), ...now.slice(end + 1)].join('\n');
          text = head + added + tail;
          lines.edit(edit([start, first], [end, last], added));
        }
        const now = text.split('\n');
        for (const [index, line] of original.entries())
          if (!touched.has(line)) assert.equal(lines.indexOf(index + 1), now.indexOf(line), text);
      }),
      { numRuns: 500 },
    );
  });
});
