import { strict as assert } from 'node:assert';
import { bench, paused, type Bench } from '../../support/services';

const print = (on: Bench, output: string, category = 'stdout'): void =>
  on.host.emit('output', { category, output });
const told = (on: Bench): string[] => on.services.stops.printed(on.session('a')).lines;

describe('output, told once', () => {
  it('a line that has not ended is told, and not again until there is more of it', () => {
    const on = paused(bench());
    print(on, 'first\nname: ');
    assert.deepEqual(told(on), ['first', 'name: ']);
    assert.deepEqual(told(on), []);
    print(on, 'Ada');
    assert.deepEqual(told(on), ['name: Ada']);
    print(on, '\n');
    assert.deepEqual(told(on), [], 'its end is nothing new');
    print(on, 'name: Ada\n');
    assert.deepEqual(told(on), ['name: Ada'], 'another line like it is');
  });

  it('equal lines that follow each other are one, with their number', () => {
    const on = paused(bench());
    print(on, `${'ready\n'.repeat(14)}done\nready\n`);
    assert.deepEqual(told(on), ['ready (×14)', 'done', 'ready']);
    print(on, `first\n${'a\na\nb\nb\n'.repeat(5)}`);
    const { lines, omitted } = on.services.stops.printed(on.session('a'));
    assert.deepEqual([lines.length, lines[0], omitted], [8, 'a (×2)', 5]);
  });

  it('categories have lines of their own', () => {
    const on = paused(bench());
    print(on, 'out');
    print(on, 'err', 'stderr');
    assert.deepEqual(told(on), ['out', 'err']);
    print(on, ' goes on\n', 'stderr');
    assert.deepEqual(told(on), ['err goes on']);
  });

  it('of a long line that grows, what is new', () => {
    const on = paused(bench());
    const begin = 'x'.repeat(300);
    print(on, begin);
    assert.deepEqual(told(on), [begin]);
    print(on, 'tail');
    assert.deepEqual(told(on), ['…tail']);
  });

  it('what is only glanced at stays untold', () => {
    const on = paused(bench());
    print(on, 'half');
    assert.deepEqual(on.services.stops.output.glance([on.session('a')]).lines, ['half']);
    assert.deepEqual(told(on), ['half']);
  });
});
