import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { call, cleanUp, errorOf, inWorkspace, marked } from '../support/client';
import { assertNothingLeft, compileNative, needs, trace, withText, type Traced } from './tracing';

const CPP = 'native/shapes.cpp';
const GO = 'go/shapes/shapes.go';
const go = { program: GO, file_path: GO };

/** Asserts that LLDB has no breakpoint any more, of ours or of VS Code's. */
async function assertNoneInLldb({ session_id: session }: Traced): Promise<void> {
  const listed = await call('evaluate_expression', {
    expression: '`breakpoint list',
    context: 'repl',
    session_id: session,
  });
  assert.match(JSON.stringify(listed), /No breakpoints currently set/);
}

/** The extension reads grammars of its own folder, which exist only in VS Code. */
describe('functions of a source file', () => {
  it('are read by a grammar', async () => {
    const answer = await call('trace_function', {
      program: GO,
      file_path: 'tests/ruby/lib/cart.rb',
      // It is in the file, but no function.
      function_name: 'Cart',
    });
    const found = JSON.stringify(errorOf(answer, 'function_not_found')['functions'] ?? answer);
    for (const name of ['initialize', 'add', 'total', 'price_of'])
      assert.ok(found.includes(`"${name} (`), found);
  });
});

describe('trace_function by a script in LLDB', function () {
  this.timeout(300_000);
  afterEach(cleanUp);

  const cpp = (): { program: string; file_path: string } => ({
    program: compileNative('shapes'),
    file_path: CPP,
  });

  it('reports values of many types, and the return value of a nested loop', async function () {
    needs(this, 'C++');
    const found = await trace({ ...cpp(), function_name: 'search' });
    const text = JSON.stringify(found, undefined, 1);
    assert.match(found.arguments['items'] ?? '', /^size=2 \[\{name: "tea", price: 2\}, /, text);
    assert.match(found.arguments['stock'] ?? '', /first: "tea", second: 1/, text);
    assert.match(
      found.arguments['list'] ?? '',
      /^\*Node \{value: 4, next: \*\{value: 3, next: nullptr\}\}/,
      text,
    );
    assert.equal(found.arguments['limit'], '8', text);
    assert.equal(withText(found, 'seen: 0 → 7').length, 1, text);
    assert.ok(
      withText(found, 'items: size=2').some((line) => line.includes('"cup"')),
      text,
    );
    assert.equal(withText(found, 'stock: size=1').length, 1, text);
    assert.equal(withText(found, 'grid: [[1, 2], [3, 4]] → [[10, 2], [3, 4]]').length, 1, text);
    assert.equal(found.returned, '10', text);
    // The vector and the map are copies; the list was only read.
    assert.equal(found.argument_changes, undefined, text);
    assert.equal(found.stepped_lines, undefined, text);
    await assertNoneInLldb(found);
    await assertNothingLeft();
  });

  /** After report 46: LLDB stops before such a function has stored its arguments. */
  it('reads the arguments of a function that stands on one line', async function () {
    needs(this, 'C++');
    const file = 'native/oneLine.cpp';
    const program = compileNative('oneLine');
    const second = await trace({ program, file_path: file, function_name: 'inc', call: 2 });
    assert.deepEqual(second.arguments, { v: '70' }, JSON.stringify(second));
    await cleanUp();
    const outer = await trace({ program, file_path: file, function_name: 'calls' });
    const callees = /inc\(v=7\) → 8, \S*inc\(v=70\) → 71/;
    assert.match(outer.trace.join('\n'), callees, JSON.stringify(outer));
    await cleanUp();
    const probes = [{ file_path: file, function_name: 'inc', expressions: ['v'] }];
    const collected = await call('collect_values', { probes, program });
    const rows = [
      [1, '7'],
      [2, '70'],
    ];
    assert.deepEqual(collected['rows'], rows, JSON.stringify(collected));
  });

  it('ends at its limit, with the program paused', async function () {
    needs(this, 'C++');
    const endless = await trace({
      ...cpp(),
      function_name: 'forever',
      args: ['forever'],
      max_steps: 50,
    });
    const text = JSON.stringify(endless, undefined, 1);
    assert.equal(endless['ended_by'], 'max_steps', text);
    assert.equal(endless.executed_lines, 50, text);
    assert.match(endless.at ?? '', /forever/, text);
    await assertNoneInLldb(endless);
  });

  it('reports an exception that leaves the call', async function () {
    needs(this, 'C++');
    const answer = await call('trace_function', { ...cpp(), function_name: 'refuse' });
    const text = JSON.stringify(answer, undefined, 1);
    assert.match(String(answer['threw']), /runtime_error\(text\)/, text);
    assert.match(JSON.stringify(answer['trace']), /text = \\"code 2\\"/, text);
    // The program stays paused where the exception is caught.
    assert.equal(answer.status, 'stopped', text);
    assert.match(String(answer['at']), new RegExp(`:${marked(CPP, 'caught') - 1} main`), text);
    await assertNothingLeft();
  });

  it('reports an object that is returned in memory, although it fits into a register', async function () {
    needs(this, 'C++');
    const answer = await trace({ ...cpp(), function_name: 'owned' });
    assert.match(String(answer.returned), /value: 6, next: nullptr/, JSON.stringify(answer));
  });

  it('shows no variable before its declaration, in a statement that runs from its last line', async function () {
    needs(this, 'C++');
    const answer = await trace({ ...cpp(), function_name: 'weighted' });
    const text = JSON.stringify(answer);
    assert.match(text, /result = 5/, text);
    assert.equal(
      answer.trace.some((line) => /result: /.test(line)),
      false,
      text,
    );
    assert.equal(answer.returned, '5', text);
  });

  it('keeps the person’s breakpoint in the call', async function () {
    needs(this, 'C++');
    const place = new vscode.Location(
      vscode.Uri.file(inWorkspace(CPP)),
      new vscode.Position(marked(CPP, 'caught') - 1, 0),
    );
    const theirs = new vscode.SourceBreakpoint(place, true);
    vscode.debug.addBreakpoints([theirs]);
    const held = await trace({ ...cpp(), function_name: 'main' });
    const text = JSON.stringify(held, undefined, 1);
    assert.equal(held['ended_by'], 'breakpoint', text);
    assert.match(held.at ?? '', new RegExp(`:${marked(CPP, 'caught')} main`), text);
    assert.ok(withText(held, 'search({').length === 1, text);
    await assertNothingLeft(1);
  });

  it('ends at its time limit in a recursion of 100,000 calls, with the program paused', async function () {
    needs(this, 'C++');
    const deep = await trace({
      program: compileNative('traced'),
      args: ['deep'],
      file_path: 'native/traced.cpp',
      function_name: 'fact',
      condition: 'n == 100000',
      max_seconds: 10,
    });
    const text = JSON.stringify(deep, undefined, 1);
    assert.equal(deep['ended_by'], 'max_seconds', text);
    assert.equal(deep['program'], 'stopped', text);
    assert.equal(deep.arguments['n'], '100000', text);
    assert.match(deep.at ?? '', /fact|main/, text);
    await assertNoneInLldb(deep);
  });

  it('is not reached if its condition fails, at which LLDB stops', async function () {
    needs(this, 'C++');
    const answer = await call('trace_function', {
      ...cpp(),
      ...{ function_name: 'twice', condition: 'unknown > 1' },
    });
    const text = JSON.stringify(answer, undefined, 1);
    assert.equal(answer['reached'], 'not_evaluated', text);
    assert.match(
      String(answer['message']),
      /The condition failed in a call of twice: .*unknown/,
      text,
    );
    assert.equal(answer['program'], 'stopped', text);
  });

  it('records the chosen one of two threads', async function () {
    needs(this, 'C++');
    const answer = await trace({ ...cpp(), function_name: 'twice', call: 2 });
    const text = JSON.stringify(answer, undefined, 1);
    const number = Number(answer.arguments['number']);
    assert.equal(withText(answer, `doubled = ${2 * number}`).length, 1, text);
    assert.equal(answer.returned, String(2 * number), text);
    assert.ok(answer.executed_lines <= 5, text);
  });
});

describe('trace_function by logpoints of Delve', function () {
  this.timeout(300_000);
  afterEach(cleanUp);

  it('reports the rounds of nested loops, and several results', async function () {
    needs(this, 'Go');
    const found = await trace({ ...go, function_name: 'search' });
    const text = JSON.stringify(found, undefined, 1);
    assert.equal(found.arguments['limit'], '8', text);
    assert.equal(found.returned, '"1 pot", nil', text);
    // `continue outer` goes to the outer header without the inner one.
    const numbers = found.trace.map((line) => Number(/^\d+/.exec(line)?.[0]));
    assert.deepEqual(numbers.slice(4, 11), [20, 21, 22, 23, 19, 20, 21], text);
    assert.equal(found.executed_lines, 19, text);
    assert.ok(withText(found, 'row: 0 → 1').length === 1, text);
    assert.ok(withText(found, 'each.price*(row+1) > limit').length >= 1, text);
    assert.equal(found.stepped_lines, undefined, text);
    await assertNothingLeft();
  });

  it('reports a loop with a condition, and an expression that is returned', async function () {
    needs(this, 'Go');
    const half = await trace({ ...go, function_name: 'half' });
    const text = JSON.stringify(half, undefined, 1);
    assert.ok(withText(half, 'number: 15 → 11').length === 1, text);
    assert.ok(withText(half, 'rest = 1').length === 1, text);
    assert.equal(half.returned, '4', text);
  });

  it('records the chosen one of two goroutines', async function () {
    needs(this, 'Go');
    const work = await trace({ ...go, function_name: 'work' });
    const text = JSON.stringify(work, undefined, 1);
    const id = Number(work.arguments['id']);
    assert.equal(work.returned, String(20 * id), text);
    assert.ok(withText(work, `sum: 0 → ${id}`).length === 1, text);
    assert.ok(work.executed_lines <= 50, text);
    await assertNothingLeft();
  });

  it('does not print the lines of the logpoints in the debug console', async function () {
    needs(this, 'Go');
    const found = await trace({ ...go, function_name: 'search' });
    assert.ok(found.executed_lines > 10);
    await vscode.commands.executeCommand('workbench.panel.repl.view.focus');
    await vscode.commands.executeCommand('workbench.debug.action.copyAll');
    const shown = await vscode.env.clipboard.readText();
    assert.match(shown, /dlv help/);
    assert.doesNotMatch(shown, /@agent-debugger/);
  });

  it('ends at its limits, with the program paused', async function () {
    needs(this, 'Go');
    const begun = performance.now();
    const endless = await trace({
      ...go,
      function_name: 'forever',
      args: ['forever'],
      max_steps: 50,
    });
    // Not at the end of its time, 150 s.
    assert.ok(performance.now() - begun < 60_000, 'the trace ends when it is full');
    const text = JSON.stringify(endless, undefined, 1);
    assert.equal(endless['ended_by'], 'max_steps', text);
    assert.equal(endless.executed_lines, 50, text);
    assert.equal(endless['program'], 'stopped', text);
    await assertNothingLeft();
  });

  it('reports a panic that leaves the call, and stops where it is recovered', async function () {
    needs(this, 'Go');
    const panics = { ...go, args: ['panic'] };
    const pick = await trace({ ...panics, function_name: 'pick' });
    const text = JSON.stringify(pick, undefined, 1);
    assert.match(String(pick['threw']), /^panic: runtime\.boundsError \{x: 3, y: 1,/, text);
    assert.match(pick.at ?? '', /main\.guarded\.func1$/, text);
    assert.equal(pick['ended_by'], undefined, text);
    const guarded = await trace({ ...panics, function_name: 'guarded' });
    assert.match(guarded.returned ?? '', /^0, error\(.*guarded: runtime error/);
    assert.equal(guarded['threw'], undefined);
    assert.match(
      withText(guarded, 'result = pick(')[0] ?? '',
      /threw panic: runtime\.boundsError \{x: 3, y: 1,.*\}, caught at 88$/,
    );
  });
});
