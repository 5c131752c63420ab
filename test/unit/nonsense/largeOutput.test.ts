import { strict as assert } from 'node:assert';
import { ask, megabytesInUse, type Answer } from '../support/asking';
import { bounded, HUGE, listIn, many, text } from '../support/huge';
import { bench, running, type Bench } from '../support/services';

describe('nonsense: output of 100 MB at once', function () {
  // These tests take long on a busy machine.
  this.timeout(120_000);

  const read = (on: Bench, input: object = {}): Promise<Answer> =>
    bounded(() => ask(on, 'get_debug_output', input));
  const print = async (on: Bench, output: string): Promise<void> =>
    await bounded(async () => on.host.emit('output', { category: 'stdout', output }));

  it('keeps the newest lines, counts the others, and releases the memory of the whole', async () => {
    const before = megabytesInUse();
    const on = running(bench());
    for (let time = 0; time < 3; time += 1) await print(on, `${text(99)}\n`.repeat(HUGE / 100));
    const answer = await read(on, { max_lines: 5000 });
    assert.equal(answer['cursor'], (3 * HUGE) / 100);
    assert.ok(
      Number(answer['dropped']) > 2_900_000 && Number(answer['dropped']) < 3_000_000,
      String(answer['dropped']),
    );
    const grown = megabytesInUse() - before;
    assert.ok(grown < 50, `${Math.round(grown)} MB`);
  });

  it('keeps the beginning of one long line and its real length', async () => {
    const before = megabytesInUse();
    const on = running(bench());
    for (let time = 0; time < 3; time += 1) await print(on, text(HUGE, '\n'));
    const [line] = listIn(await read(on), 'lines');
    assert.match(String(line?.['text']), /^v+… \(100000000 characters\)$/);
    const grown = megabytesInUse() - before;
    assert.ok(grown < 50, `${Math.round(grown)} MB`);
  });

  it('accepts output of only line ends, escapes or carriage returns, and thousands of categories', async () => {
    const on = running(bench());
    for (const unit of ['\n', '\x1b[', '\x1b]8;;', 'x\r', '\x1b;a;a'])
      await print(on, unit.repeat(20_000_000 / unit.length));
    await bounded(async () =>
      many(20_000, (each) =>
        on.host.emit('output', { category: `category ${each}`, output: 'not ended' }),
      ),
    );
    const answer = await read(on);
    assert.ok(Number(answer['cursor']) >= 20_000_000 + 19_000);
  });

  it('releases the memory of long lines that are dropped', async () => {
    const before = megabytesInUse();
    const on = running(bench());
    for (let time = 0; time < 1500; time += 1)
      on.host.emit('output', { category: 'stdout', output: text(260_000, `${time}\n`) });
    const grown = megabytesInUse() - before;
    assert.ok(grown < 50, `${Math.round(grown)} MB`);
    assert.equal((await read(on))['cursor'], 1500);
  });
});
