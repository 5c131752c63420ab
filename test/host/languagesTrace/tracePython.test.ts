import { strict as assert } from 'node:assert';
import { call, cleanUp } from '../support/client';
import { LANGUAGES, skipWhereMissing } from '../languages/language';
import { assertNothingLeft, trace, withText, type Traced } from './tracing';

const ENDINGS = 'python/endings.py';
const RAISING = 'python/raising.py';

const traceIn = async (file: string, name: string, more: object = {}): Promise<Traced> =>
  await trace({ program: file, file_path: file, function_name: name, ...more });
const traceEnding = async (name: string): Promise<Traced> => await traceIn(ENDINGS, name);
const traceRaising = async (name: string, more?: object): Promise<Traced> =>
  await traceIn(RAISING, name, more);

describe('a traced Python call', function () {
  this.timeout(300_000);
  const python = LANGUAGES.find(({ name }) => name === 'Python');
  assert.ok(python);
  before(function () {
    skipWhereMissing(this, python);
  });
  afterEach(cleanUp);

  it('includes what the last line changed', async () => {
    const answer = await traceEnding('apply');
    const text = JSON.stringify(answer);
    assert.match(withText(answer, 'order.total += tax').join(), /order\.total: 10 → 30/, text);
    assert.match(JSON.stringify(answer.argument_changes), /order\.total: 10 → 30/, text);
  });

  it('includes all lines of a long function', async () => {
    const answer = await traceIn('python/long.py', 'build');
    assert.equal(answer.executed_lines, 18, JSON.stringify(answer));
    assert.deepEqual(answer.trace.slice(-2), ['18 b8 = b7 + 1  | b8 = 17', '19 return b8']);
  });

  it('is not reached if its condition fails', async () => {
    const file = 'python/long.py';
    const answer = await call('trace_function', {
      ...{ program: file, file_path: file, function_name: 'build' },
      condition: 'unknown > 1',
    });
    assert.equal(answer['reached'], 'not_evaluated', JSON.stringify(answer));
    assert.equal(answer['calls_seen'], undefined, JSON.stringify(answer));
    assert.match(
      String(answer['message']),
      /condition failed in a call of build: NameError.*unknown/,
    );
  });

  it('collects one hit for each call of a function that begins with a loop', async () => {
    const probes = [{ file_path: ENDINGS, function_name: 'count', expressions: ['items'] }];
    const answer = await call('collect_values', { program: ENDINGS, probes });
    assert.equal(answer['hits'], 2, JSON.stringify(answer));
  });

  it('does not count changes of another object that was assigned to a parameter', async () => {
    const answer = await traceEnding('replace');
    assert.equal(answer.argument_changes, undefined, JSON.stringify(answer));
  });

  it('reports one exception for a block that handles one in several lines', async () => {
    const answer = await traceEnding('parse');
    const text = JSON.stringify(answer);
    assert.equal(withText(answer, 'caught').length, 1, text);
    assert.equal(answer.returned, 'None', text);
  });

  it('is found if the call begins with a declaration of a global name', async () => {
    const answer = await traceRaising('counted');
    const text = JSON.stringify(answer);
    assert.equal(answer.function, 'counted', text);
    // The value is not shortened by the debugger.
    assert.equal(answer.returned, `'${'abc'.repeat(40)}'`, text);
  });

  it('has no changes of collected arguments', async () => {
    const answer = await traceRaising('gathered');
    assert.equal(answer.argument_changes, undefined, JSON.stringify(answer));
    assert.equal(answer.returned, "{'n': 2}");
  });

  it('begins at the first line of its first statement that is executed', async () => {
    const summary = await traceRaising('summary');
    const text = JSON.stringify(summary);
    assert.match(withText(summary, '"price"').join(), /price\(prices=.*\) → 3/, text);
    const pair = await traceRaising('pair');
    assert.ok(withText(pair, 'one').length > 0, JSON.stringify(pair));
    assert.equal(pair.returned, '3', JSON.stringify(pair));
  });

  describe('exceptions', () => {
    it('are reported if a callee raises them', async () => {
      const answer = await traceRaising('lookup');
      const text = JSON.stringify(answer);
      assert.equal(answer['threw'], "KeyError('oil')", text);
      assert.match(withText(answer, 'price(prices, name)').join(), /threw KeyError\('oil'\)/, text);
      await assertNothingLeft();
    });

    it('are reported if an operation raises them', async () => {
      const answer = await traceRaising('share');
      assert.equal(
        answer['threw'],
        "ZeroDivisionError('division by zero')",
        JSON.stringify(answer),
      );
    });

    it('are reported where the debugger reports them as uncaught', async () => {
      const answer = await traceRaising('share', { call: 2 });
      const text = JSON.stringify(answer);
      assert.match(String(answer['threw']), /ZeroDivisionError.*division by zero/, text);
      assert.equal(answer['ended_by'], 'exception', text);
    });

    for (const depth of [0, 1])
      it(`are reported if the call catches them, at depth ${depth}`, async () => {
        const answer = await traceRaising('total', { depth });
        const text = JSON.stringify(answer);
        assert.equal(answer.returned, '7', text);
        assert.equal(answer.trace.filter((line) => line.includes('caught at')).length, 1, text);
        assert.match(text, /threw KeyError\('oil'\)/, text);
        if (depth === 0) assert.equal(text.match(/threw/g)?.length, 1, text);
      });

    it('are reported for each opened call that they leave', async () => {
      const answer = await traceRaising('lookup', { depth: 1 });
      const text = JSON.stringify(answer);
      assert.equal(answer['threw'], "KeyError('oil')", text);
      assert.ok(answer.trace.includes("  < threw KeyError('oil')"), text);
    });

    it('are not reported for a call that is paused in the middle by the program itself', async () => {
      const answer = await traceRaising('paused', { args: ['pause'] });
      const text = JSON.stringify(answer);
      assert.equal(answer['ended_by'], 'breakpoint', text);
      assert.deepEqual([answer['threw'], answer.returned], [undefined, undefined], text);
      assert.match(answer.at ?? '', / paused$/, text);
    });
  });
});
