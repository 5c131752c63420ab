import { strict as assert } from 'node:assert';
import { bench, paused, running, type Bench } from '../../support/services';

const print = (on: Bench, output: string, key = 'a'): void =>
  on.host.emit('output', { category: 'stdout', output }, key);

/** Watches these sessions for lines with `ready`. */
function watching(on: Bench, ...keys: readonly string[]) {
  const read = on.services.stops.output.watch(() => keys.map((key) => on.session(key)), /ready/);
  return () => {
    const found = read();
    return found === undefined ? undefined : [found.line.text, found.wasThere];
  };
}

describe('output that is waited for', () => {
  it('is found when it arrives, once', () => {
    const on = paused(bench());
    const read = watching(on, 'a');
    print(on, 'starting\n');
    assert.equal(read(), undefined);
    print(on, 'ready 1\nready 2\n');
    assert.deepEqual(read(), ['ready 1', false]);
    assert.equal(read(), undefined, 'all that had come was read');
    print(on, 'ready 3\n');
    assert.deepEqual(read(), ['ready 3', false]);
  });

  it('is marked as earlier output if it arrived before the wait and was not reported', () => {
    const on = paused(bench());
    print(on, 'ready 1\n');
    assert.deepEqual(watching(on, 'a')(), ['ready 1', true]);
  });

  it('is not found again if an answer has reported it', () => {
    const on = paused(bench());
    print(on, 'ready 1\n');
    on.services.stops.printed(on.session());
    assert.equal(watching(on, 'a')(), undefined);
  });

  it('is not found again by the next wait', () => {
    const on = paused(bench());
    print(on, 'ready 1\nready 2\n');
    assert.deepEqual(watching(on, 'a')(), ['ready 1', true]);
    assert.deepEqual(watching(on, 'a')(), ['ready 2', true]);
    assert.equal(watching(on, 'a')(), undefined);
  });

  it('may be the beginning of an unfinished line, which is still to be reported', () => {
    const on = paused(bench());
    print(on, 'ready? ');
    assert.deepEqual(watching(on, 'a')(), ['ready? ', false]);
    assert.deepEqual(on.services.stops.printed(on.session()).lines, ['ready? ']);
  });

  it('is found in any of the sessions, even in one that starts in the meantime', () => {
    const on = running(running(bench()), 'b');
    const read = watching(on, 'a', 'b');
    print(on, 'ready b\n', 'b');
    assert.deepEqual(read(), ['ready b', false]);
    const keys = ['a'];
    const find = on.services.stops.output.watch(() => keys.map((key) => on.session(key)), /ready/);
    assert.equal(find(), undefined);
    running(on, 'c');
    keys.push('c');
    print(on, 'ready c\n', 'c');
    const found = find();
    assert.deepEqual([found?.line.text, found?.wasThere], ['ready c', false]);
  });

  it('has the cursor from which the output after it can be read', () => {
    const on = paused(bench());
    print(on, 'ready\nmore\n');
    const found = on.services.stops.output.watch(() => [on.session()], /ready/)();
    assert.equal(found?.cursor, found?.line.order);
  });
});

describe('output of a terminal', () => {
  const shows = (on: Bench, text: string): void =>
    on.model.dispatch({ type: 'terminalOutput', key: 'a', at: 1, text });
  const reported = (on: Bench): readonly string[] => on.services.stops.printed(on.session()).lines;

  it('is reported once if the adapter passes it on', () => {
    const on = paused(bench());
    shows(on, 'hello\nalone\n');
    print(on, 'hello\n');
    assert.deepEqual(reported(on), ['alone', 'hello']);
  });

  it('is reported if the adapter passes nothing on', () => {
    const on = paused(bench());
    shows(on, 'hello\n');
    assert.deepEqual(reported(on), ['hello']);
  });
});

describe('output that is cut', () => {
  const reported = (on: Bench): readonly string[] => on.services.stops.printed(on.session()).lines;

  it('loses the far callers of a stack trace first', () => {
    const on = paused(bench());
    const trace = [1, 2, 3, 4, 5, 6].map((line) => `    at f (/app/a.js:${line}:1)`);
    print(on, `${['before', 'Error: x', ...trace, 'after'].join('\n')}\n`);
    assert.deepEqual(reported(on), ['before', 'Error: x', ...trace.slice(0, 2), 'after']);
    const many = Array.from({ length: 8 }, (_, index) => `line ${index}`);
    print(on, `${['Error: x', ...trace, ...many].join('\n')}\n`);
    assert.deepEqual(reported(on), many);
  });

  it('keeps a stack trace if all of its lines fit', () => {
    const on = paused(bench());
    const lines = [
      'Error: x',
      ...[1, 2, 3, 4, 5, 6, 7].map((line) => `    at f (/app/a.js:${line}:1)`),
    ];
    print(on, `${lines.join('\n')}\n`);
    assert.deepEqual(reported(on), lines);
  });
});
