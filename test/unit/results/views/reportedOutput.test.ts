import { strict as assert } from 'node:assert';
import { answered, asked } from '../../support/events';
import { bench, FILE, paused, type Bench } from '../../support/services';

const print = (on: Bench, output: string, category = 'stdout'): void =>
  on.host.emit('output', { category, output });
const reported = (on: Bench): string[] => on.services.stops.printed(on.session('a')).lines;

/** A session whose adapter has a logpoint at line 3 of the file. */
function withLogpoint(logMessage: string): Bench {
  const on = paused(bench());
  const breakpoints = [{ line: 3, logMessage }];
  on.model.dispatch(asked(50, 'setBreakpoints', { source: { path: FILE }, breakpoints }));
  on.model.dispatch(
    answered(50, 'setBreakpoints', { breakpoints: [{ id: 1, verified: true, line: 3 }] }),
  );
  return on;
}

/** Output of a logpoint as js-debug sends it: with its location. */
const logged = (on: Bench, output: string, line = 3): void =>
  on.host.emit('output', { category: 'stdout', output, source: { path: FILE }, line });

describe('output that is reported once', () => {
  it('includes an unfinished line, and includes it again only if there is more of it', () => {
    const on = paused(bench());
    print(on, 'first\nname: ');
    assert.deepEqual(reported(on), ['first', 'name: ']);
    assert.deepEqual(reported(on), []);
    print(on, 'Ada');
    assert.deepEqual(reported(on), ['name: Ada']);
    print(on, '\n');
    assert.deepEqual(reported(on), [], 'its end is nothing new');
    print(on, 'name: Ada\n');
    assert.deepEqual(reported(on), ['name: Ada'], 'another line like it is');
  });

  it('has equal consecutive lines as one, with their number', () => {
    const on = paused(bench());
    print(on, `${'ready\n'.repeat(14)}done\nready\n`);
    assert.deepEqual(reported(on), ['ready (×14)', 'done', 'ready']);
    print(on, `first\n${'a\na\nb\nb\n'.repeat(5)}`);
    const { lines, omitted } = on.services.stops.printed(on.session('a'));
    assert.deepEqual([lines.length, lines[0], omitted], [8, 'a (×2)', 5]);
  });

  it('has separate lines for each category', () => {
    const on = paused(bench());
    print(on, 'out');
    print(on, 'err', 'stderr');
    assert.deepEqual(reported(on), ['out', 'err']);
    print(on, ' goes on\n', 'stderr');
    assert.deepEqual(reported(on), ['err goes on']);
  });

  it('includes only the new part of a long line that grows', () => {
    const on = paused(bench());
    const begin = 'x'.repeat(300);
    print(on, begin);
    assert.deepEqual(reported(on), [begin]);
    print(on, 'tail');
    assert.deepEqual(reported(on), ['…tail']);
  });

  it('keeps the lines of logpoints if it is cut, in addition to the newest other lines', () => {
    const on = withLogpoint('at {i}');
    logged(on, 'at 1\n');
    print(on, Array.from({ length: 12 }, (_, index) => `own ${index}\n`).join(''));
    logged(on, 'at 2\n');
    const { lines, omitted } = on.services.stops.printed(on.session('a'));
    assert.deepEqual(lines, ['at 1', ...[6, 7, 8, 9, 10, 11].map((line) => `own ${line}`), 'at 2']);
    assert.equal(omitted, 6);
    for (let index = 1; index <= 30; index += 1) {
      logged(on, `at ${index}\n`);
      print(on, `own ${index}\n`);
    }
    const many = on.services.stops.printed(on.session('a'));
    assert.deepEqual(many.lines.slice(-4), ['at 29', 'own 29', 'at 30', 'own 30']);
    assert.deepEqual([many.lines.length, many.lines[0], many.omitted], [22, 'at 11', 38]);
  });

  it('recognizes a logpoint’s lines by its text if they have no location, and no other lines', () => {
    const on = withLogpoint('at {i}');
    print(on, `at 1\n${'a\nb\n'.repeat(10)}`);
    assert.deepEqual(reported(on).slice(0, 2), ['at 1', 'b']);
    const bare = withLogpoint('{i}');
    print(bare, `1\n${'a\nb\n'.repeat(10)}`);
    assert.deepEqual(reported(bare), ['a', 'b', 'a', 'b', 'a', 'b', 'a', 'b']);
    logged(bare, `1\n`);
    print(bare, 'a\nb\n'.repeat(10));
    assert.equal(reported(bare)[0], '1');
    logged(bare, `2\n`, 4);
    print(bare, 'a\nb\n'.repeat(10));
    assert.equal(reported(bare)[0], 'a', 'printed on another line');
  });

  it('leaves out the trace of a logpoint’s expression that fails, in either form', () => {
    const on = withLogpoint('at {i}');
    const failed = 'at ReferenceError: i is not defined';
    const frames = ['eval (logpoint-e3a77ee.cdp:9:5)', 'f (/app/a.js:5:13)', 'node:internal/x:1:2'];
    logged(on, `${[failed, ...frames.map((frame) => `    at ${frame}`)].join('\n')}\n`);
    logged(on, 'at 2\n');
    const first = on.services.stops.printed(on.session('a'));
    assert.deepEqual([first.lines, first.omitted], [[failed, 'at 2'], 3]);
    const quoted = frames.map((frame) => `  '    at ${frame}\\n' +`);
    print(on, `at 'ReferenceError: i is not defined\\n' +\n${quoted.join('\n')}\nat 2\n`);
    assert.deepEqual(reported(on), ["at 'ReferenceError: i is not defined\\n' +", 'at 2']);
    print(on, `Error: own\n    at f (/app/a.js:5:13)\n`);
    assert.deepEqual(reported(on), ['Error: own', '    at f (/app/a.js:5:13)']);
  });

  it('stays unreported if it is only peeked at', () => {
    const on = paused(bench());
    print(on, 'half');
    assert.deepEqual(on.services.stops.output.peekUnreported([on.session('a')]).lines, ['half']);
    assert.deepEqual(reported(on), ['half']);
  });
});
