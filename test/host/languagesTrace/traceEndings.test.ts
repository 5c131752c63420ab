import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { call, cleanUp, inWorkspace, marked } from '../support/client';
import { LANGUAGES, skipWhereMissing } from '../languages/language';
import { assertNothingLeft, trace, withText, type Traced } from './tracing';

const FILE = 'node/endings.js';

const traceNode = async (input: object): Promise<Traced> =>
  await trace({ program: FILE, file_path: FILE, ...input });

describe('the beginning and the end of a traced Node call', function () {
  this.timeout(120_000);
  afterEach(cleanUp);

  it('includes all rounds of a loop with which the call begins', async () => {
    const answer = await traceNode({ function_name: 'addUp' });
    const text = JSON.stringify(answer);
    assert.match(text, /sums\.all: 0 → 1"/);
    assert.match(text, /sums\.all: 1 → 3"/);
    assert.equal(answer.returned, 'undefined', text);
    assert.deepEqual(answer.argument_changes, ['sums.all: 0 → 3'], text);
    assert.equal('callees' in answer, true, text);
  });

  for (const [name, nth, returned] of [
    ['parse', 2, '1'],
    ['parseNow', 1, undefined],
    ['parseNow', 2, '1'],
    ['relies', 1, undefined],
    ['recover', 1, 'undefined'],
  ] as const)
    it(`is ${returned === undefined ? 'an exception' : `the value ${returned}`} for call ${nth} of ${name}`, async () => {
      const answer = await traceNode({ function_name: name, call: nth });
      const text = JSON.stringify(answer);
      assert.equal(answer.returned, returned, text);
      assert.equal('threw' in answer, returned === undefined, text);
    });

  it('is the exception that built-in code has thrown, where the caller catches it', async () => {
    const answer = await traceNode({ function_name: 'parse' });
    const text = JSON.stringify(answer);
    assert.deepEqual([answer.returned, answer.executed_lines], [undefined, 1], text);
    assert.match(String(answer['threw']), /SyntaxError/, text);
    assert.match(answer.at ?? '', new RegExp(`:${marked(FILE, 'caught')}\\b`), text);
    await assertNothingLeft();
  });

  for (const [nth, returned] of ['2', '4'].entries())
    it(`is the value ${returned} of an arrow function with an expression, which built-in code calls`, async () => {
      const line = marked(FILE, 'doubled');
      const answer = await traceNode({ line, call: nth + 1 });
      assert.equal(answer.returned, returned, JSON.stringify(answer));
      assert.deepEqual(answer.arguments, { x: String(nth + 1) });
    });

  it('shows a variable that is undefined in one round', async () => {
    const answer = await traceNode({ function_name: 'prices' });
    const items = withText(answer, 'byId.get').join('\n');
    assert.match(JSON.stringify(answer.trace), /item: .*5.* → undefined/, items);
  });

  it('steps the call if a logpoint of the person is on one of its lines', async () => {
    const at = new vscode.Position(marked(FILE, 'adds') - 1, 0);
    const location = new vscode.Location(vscode.Uri.file(inWorkspace(FILE)), at);
    const theirs = new vscode.SourceBreakpoint(location, true, undefined, undefined, 'x {item}');
    vscode.debug.addBreakpoints([theirs]);
    try {
      const answer = await traceNode({ function_name: 'addUp' });
      const text = JSON.stringify(answer);
      assert.ok((answer.stepped_lines ?? 0) > 0, text);
      assert.ok(withText(answer, 'sums.all += item').length > 0, text);
      await assertNothingLeft(1);
    } finally {
      vscode.debug.removeBreakpoints([theirs]);
    }
  });
});

describe('the end of a traced Python call', function () {
  this.timeout(120_000);
  const python = LANGUAGES.find(({ name }) => name === 'Python');
  assert.ok(python);
  before(function () {
    skipWhereMissing(this, python);
  });
  afterEach(cleanUp);

  const tracePython = async (name: string): Promise<Traced> =>
    await trace({
      program: 'python/endings.py',
      file_path: 'python/endings.py',
      function_name: name,
    });

  it('includes what the last line changed', async () => {
    const answer = await tracePython('apply');
    const text = JSON.stringify(answer);
    assert.match(withText(answer, 'order.total += tax').join(), /order\.total: 10 → 30/, text);
    assert.match(JSON.stringify(answer.argument_changes), /order\.total: 10 → 30/, text);
  });

  it('collects one hit for each call of a function that begins with a loop', async () => {
    const probes = [
      { file_path: 'python/endings.py', function_name: 'count', expressions: ['items'] },
    ];
    const answer = await call('collect_values', { program: 'python/endings.py', probes });
    assert.equal(answer['hits'], 2, JSON.stringify(answer));
  });

  it('does not count changes of another object that was assigned to a parameter', async () => {
    const answer = await tracePython('replace');
    assert.equal(answer.argument_changes, undefined, JSON.stringify(answer));
  });

  it('reports one exception for a block that handles one in several lines', async () => {
    const answer = await tracePython('parse');
    const text = JSON.stringify(answer);
    assert.equal(withText(answer, 'caught').length, 1, text);
    assert.equal(answer.returned, 'None', text);
  });
});

describe('exceptions in traced calls', function () {
  this.timeout(120_000);
  const python = LANGUAGES.find(({ name }) => name === 'Python');
  assert.ok(python);
  before(function () {
    skipWhereMissing(this, python);
  });
  afterEach(cleanUp);

  const RAISING = 'python/raising.py';
  const tracePython = async (name: string, more: object = {}): Promise<Traced> =>
    await trace({ program: RAISING, file_path: RAISING, function_name: name, ...more });

  it('Python: are reported if a callee raises them', async () => {
    const answer = await tracePython('lookup');
    const text = JSON.stringify(answer);
    assert.equal(answer['threw'], "KeyError('oil')", text);
    assert.match(withText(answer, 'price(prices, name)').join(), /threw KeyError\('oil'\)/, text);
    await assertNothingLeft();
  });

  it('Python: are reported if an operation raises them', async () => {
    const answer = await tracePython('share');
    assert.equal(answer['threw'], "ZeroDivisionError('division by zero')", JSON.stringify(answer));
  });

  it('Python: are reported where the debugger reports them as uncaught', async () => {
    const answer = await tracePython('share', { call: 2 });
    const text = JSON.stringify(answer);
    assert.match(String(answer['threw']), /ZeroDivisionError.*division by zero/, text);
    assert.equal(answer['ended_by'], 'exception', text);
  });

  for (const depth of [0, 1])
    it(`Python: are reported if the call catches them, at depth ${depth}`, async () => {
      const answer = await tracePython('total', { depth });
      const text = JSON.stringify(answer);
      assert.equal(answer.returned, '7', text);
      assert.equal(answer.trace.filter((line) => line.includes('caught at')).length, 1, text);
      assert.match(text, /threw KeyError\('oil'\)/, text);
      if (depth === 0) assert.equal(text.match(/threw/g)?.length, 1, text);
    });

  it('Python: are reported for each opened call that they leave', async () => {
    const answer = await tracePython('lookup', { depth: 1 });
    const text = JSON.stringify(answer);
    assert.equal(answer['threw'], "KeyError('oil')", text);
    assert.ok(answer.trace.includes("  < threw KeyError('oil')"), text);
  });

  it('Node: are reported for each opened call that they leave', async () => {
    const answer = await traceNode({ function_name: 'relies', depth: 1 });
    const text = JSON.stringify(answer);
    assert.match(String(answer['threw']), /RangeError/, text);
    assert.match(answer.trace.join('\n'), /^ {2}< threw .*RangeError/m, text);
  });

  it('Node: are reported if the call catches what an opened call could not handle', async () => {
    const answer = await traceNode({ function_name: 'safely', depth: 1 });
    const text = JSON.stringify(answer);
    assert.equal(answer.returned, '-1', text);
    assert.match(answer.trace.join('\n'), /^ {2}< threw .*SyntaxError/m, text);
  });

  it('Node: are reported if built-in code throws them in a line whose calls are opened', async () => {
    const answer = await traceNode({ function_name: 'parseNow', depth: 1 });
    const text = JSON.stringify(answer);
    assert.equal(answer.status, 'stopped', text);
    // The handler gives the exception no name.
    assert.equal(answer['threw'], '?', text);
    assert.equal('returned' in answer, false, text);
    await assertNothingLeft();
  });

  for (const [name, returned] of [
    ['both', '2'],
    ['product', '1'],
  ] as const)
    it(`Node: the lines after opened calls, and the value of ${name}, are reported`, async () => {
      const answer = await traceNode({ function_name: name, depth: 1 });
      const text = JSON.stringify(answer);
      assert.equal(answer.returned, returned, text);
      assert.equal(answer.trace.filter((line) => line === '  > one()').length, 2, text);
      assert.match(answer.trace.at(-1) ?? '', name === 'both' ? /return sum/ : /< → 1/, text);
    });

  it('Node: the value that a finally block returns is reported', async () => {
    const answer = await traceNode({ function_name: 'replaced' });
    assert.equal(answer.returned, "'replaced'", JSON.stringify(answer));
  });

  it('Python: a call that begins with a declaration of a global name is found', async () => {
    const answer = await tracePython('counted');
    const text = JSON.stringify(answer);
    assert.equal(answer.function, 'counted', text);
    // The value is not shortened by the debugger.
    assert.equal(answer.returned, `'${'abc'.repeat(40)}'`, text);
  });

  it('Python: are not reported for a call that is paused in the middle by the program itself', async () => {
    const answer = await tracePython('paused', { args: ['pause'] });
    const text = JSON.stringify(answer);
    assert.equal(answer['ended_by'], 'breakpoint', text);
    assert.deepEqual([answer['threw'], answer.returned], [undefined, undefined], text);
    assert.match(answer.at ?? '', / paused$/, text);
  });

  it('Python: collected arguments are no objects of the caller', async () => {
    const answer = await tracePython('gathered');
    assert.equal(answer.argument_changes, undefined, JSON.stringify(answer));
    assert.equal(answer.returned, "{'n': 2}");
  });

  it('Python: a call begins at the first line of its first statement that is executed', async () => {
    const summary = await tracePython('summary');
    const text = JSON.stringify(summary);
    assert.match(withText(summary, '"price"').join(), /price\(prices=.*\) → 3/, text);
    const pair = await tracePython('pair');
    assert.ok(withText(pair, 'one').length > 0, JSON.stringify(pair));
    assert.equal(pair.returned, '3', JSON.stringify(pair));
  });
});
