import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { callLine, logLine, traceLine } from '../../../../src/debugger/texts';

describe('an entry of the log', () => {
  it('is one visible line of limited length, whatever a client calls itself or its tool', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 300 }),
        fc.string({ unit: 'binary', maxLength: 300 }),
        (tool, caller) => {
          const entry = callLine({
            tool,
            caller,
            status: 'success',
            characters: 7,
            milliseconds: 1.4,
          });
          assert.doesNotMatch(entry, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
          assert.ok(entry.length < 400, entry);
        },
      ),
    );
  });

  it('cannot be made to look like another entry', () => {
    const caller =
      'Cursor)\n2026-11-23 09:46:00.000 [info] stop_debugging success 12 characters 3 ms (VS Code';
    assert.equal(
      callLine({
        tool: 'get_scopes\r\n\u2028x',
        caller,
        status: 'error',
        characters: 7,
        milliseconds: 1.4,
      }),
      'get_scopes x error 7 characters 1 ms (Cursor) 2026-11-23 09:46:00.000 [info] stop_debugging succes… (89 characters))',
    );
  });

  it('states how long a text was, and takes no time for a huge one', () => {
    assert.equal(logLine('x'.repeat(50_000_000)), `${'x'.repeat(200)}… (50000000 characters)`);
    assert.equal(logLine('plain'), 'plain');
  });

  it('contains, for an error, the location at which it was thrown in the same line', () => {
    const line = traceLine(new Error('bad\nname'));
    assert.match(line, /^Error: bad name {5}at .*logLine\.test/);
    assert.ok(line.length < 2100);
  });
});
