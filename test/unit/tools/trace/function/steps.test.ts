import { strict as assert } from 'node:assert';
import type { TracedFunction } from '../../../../../src/tools/trace/function/callModel';
import {
  commandAt,
  isStillIn,
  suspendsBetween,
  yieldsAt,
} from '../../../../../src/tools/trace/function/steps';
import { frameAt, stackIn } from '../../../support/stacks';

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
    stackIn([frameAt('numbers', { column: text.indexOf(from) + 1 })], type),
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

  it('enters the generator to which a `yield*` delegates', () => {
    assert.equal(step('pwa-node', 'yield* inner(n);'), 'next');
    assert.equal(step('pwa-node', 'const x = yield* inner(n);', 'const', true, true), 'stepIn');
  });

  it('is that of a function which does not suspend', () => {
    const called = { ...generator('yield_all();'), suspends: undefined };
    const now = stackIn([frameAt('numbers')], 'pwa-node');
    assert.equal(commandAt(called, now, { isInto: true, isPart: false }), 'stepIn');
    assert.equal(yieldsAt(generator('yield_all();'), now), false);
  });
});

describe('the step from a line of an asynchronous function whose calls are opened', () => {
  const stepFrom = (text: string, type = 'pwa-node', isAsync = true) =>
    commandAt(
      {
        name: 'load',
        path: '/app/load.js',
        source: text.split('\n'),
        suspends: isAsync ? 'async' : undefined,
      },
      stackIn([frameAt('load')], type),
      { isInto: true, isPart: false },
    );

  it('is a step over if the statement calls nothing, because a step in would go through code of Node', () => {
    for (const text of ['open -= 1;', 'await ready;', 'return total + 1;', '}', '} finally {'])
      assert.equal(stepFrom(text), 'next', text);
    assert.equal(stepFrom('const row = await Promise.resolve({ id });'), 'next');
    assert.equal(stepFrom('return total; // of load()'), 'next');
  });

  it('is a step in if it may call something', () => {
    for (const text of ['await load(id);', 'return this.total;', 'await Promise.all(names);'])
      assert.equal(stepFrom(text), 'stepIn', text);
    for (const text of ['total = items[0];', 'return `${id}`;', 'Promise.resolve(load(1));'])
      assert.equal(stepFrom(text), 'stepIn', text);
    for (const text of ['return {\n  total: sum(items),\n};', 'const row = {', 'return total +'])
      assert.equal(stepFrom(text), 'stepIn', text);
    for (const text of ['const box = new Box;', 'const { total } = this;', 'return total'])
      assert.equal(stepFrom(text), 'stepIn', text);
    assert.equal(stepFrom("const url = 'https://' + hostOf(id);"), 'stepIn');
  });

  it('is a step in with other debuggers, and in other functions', () => {
    assert.equal(stepFrom('await ready', 'debugpy'), 'stepIn');
    assert.equal(stepFrom('return total;', 'pwa-node', false), 'stepIn');
  });
});

describe('a stop after a step', () => {
  const at = (line: number, callers: readonly string[] = ['main'], column = 1) =>
    stackIn(
      [frameAt('load', { line, column }), ...callers.map((name) => frameAt(name))],
      'pwa-node',
    );
  const load = (more: Partial<TracedFunction>): TracedFunction => ({
    ...{ name: 'load', path: '/app/load.js', source: [], entryRepeats: false, ...more },
  });

  it('is in an asynchronous call with other callers, but not at the beginning of another call', () => {
    const called = load({ suspends: 'async' });
    assert.equal(isStillIn(called, at(2), at(4, ['await', 'main']), false), true);
    assert.equal(isStillIn(called, at(2), at(2, ['other']), false), false);
    assert.equal(isStillIn(called, at(2), at(2, ['other'], 9), false), true);
    const repeats = load({ suspends: 'async', entryRepeats: true });
    assert.equal(isStillIn(repeats, at(2), at(2), false), true);
  });

  it('is in the part of a generator only with the same callers', () => {
    const called = load({ suspends: 'generator' });
    assert.equal(isStillIn(called, at(2), at(4), true), true);
    // Another generator of the same function, which has delegated to this one.
    assert.equal(isStillIn(called, at(2, ['load', 'main']), at(4), true), false);
    const isAsync = load({ suspends: 'generator', isAsyncGenerator: true });
    assert.equal(isStillIn(isAsync, at(2), at(4, ['await', 'main']), true), true);
  });

  it('may be behind a suspension in a line, or in the further lines of its statement', () => {
    const source = ['a();', 'const x = b(', '  await c(),', ');', 'return x;'];
    const suspends = (more: Partial<TracedFunction>, from: number, to: number): boolean =>
      suspendsBetween(load({ source, suspends: 'async', ...more }), from, to);
    assert.equal(suspends({}, 1, 2), false);
    assert.equal(suspends({}, 2, 5), true);
    assert.equal(suspends({}, 3, 3), true);
    assert.equal(suspends({}, 5, 1), false);
    assert.equal(suspends({ suspends: undefined }, 2, 5), false);
  });
});
