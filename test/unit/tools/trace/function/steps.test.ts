import { strict as assert } from 'node:assert';
import type { TracedFunction } from '../../../../../src/tools/trace/function/callModel';
import { commandAt, yieldsAt } from '../../../../../src/tools/trace/function/steps';
import { frameAt, momentIn } from '../../../support/moments';

const generator = (text: string): TracedFunction => ({
  name: 'numbers',
  path: '/app/numbers.js',
  source: [text],
  suspends: 'generator',
});

/** The step from the place in a line at which the text `from` begins. */
const step = (type: string, text: string, from = text, isPart = true, isInto = false): string =>
  commandAt(
    generator(text),
    momentIn([frameAt('numbers', { column: text.indexOf(from) + 1 })], type),
    { isInto, isPart },
  );

describe('the step from a line of a generator', () => {
  it('leads to the consumer if only a part is traced, otherwise to the next line', () => {
    assert.equal(step('pwa-node', 'yield n;'), 'stepOut');
    assert.equal(step('debugpy', 'yield n'), 'stepIn');
    assert.equal(step('pwa-node', 'yield n;', 'yield', false, true), 'next');
    assert.equal(step('debugpy', 'yield n', 'yield', false, true), 'next');
    // An adapter whose steps are not known.
    assert.equal(step('test', 'yield n'), 'next');
  });

  it('is the usual one where no `yield` begins', () => {
    assert.equal(step('pwa-node', 'n += 1;'), 'next');
    assert.equal(step('pwa-node', 'n += 1;', 'n', true, true), 'stepIn');
    assert.equal(step('pwa-node', 'n += 1; // no yield'), 'next');
    assert.equal(step('pwa-node', 'log("yield");'), 'next');
    assert.equal(step('debugpy', 'n = 1 # no yield'), 'next');
    assert.equal(step('pwa-node', 'return n; // yield'), 'next');
    // The condition may be false.
    assert.equal(step('pwa-node', 'if (n > 1) yield n;', 'n > 1'), 'next');
    assert.equal(step('pwa-node', 'if (n > 1) yield n;', 'yield'), 'stepOut');
  });

  it('leads to the consumer from an assignment of what it sends', () => {
    for (const text of [
      'const x = yield n;',
      'this.x = yield n;',
      'total += yield n;',
      'x = (yield)',
    ])
      assert.equal(step('pwa-node', text), 'stepOut', text);
  });

  it('is that of a function which does not suspend', () => {
    const called = { ...generator('yield_all();'), suspends: undefined };
    const now = momentIn([frameAt('numbers')], 'pwa-node');
    assert.equal(commandAt(called, now, { isInto: true, isPart: false }), 'stepIn');
    assert.equal(yieldsAt(generator('yield_all();'), now), false);
  });
});
