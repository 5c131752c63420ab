import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { call, cleanUp } from '../support/client';
import { assertNothingLeft, needs, trace, withText, type Traced } from './tracing';

const panics = { program: 'go/panics/panics.go', file_path: 'go/panics/panics.go' };
const defers = { program: 'go/defers/defers.go', file_path: 'go/defers/defers.go' };

const source = readFileSync(
  path.join(__dirname, '../../../../test/fixtures/languages', panics.program),
  'utf8',
).split('\n');

/** Matches a line of a trace that threw what the first deferred literal of a function caught. */
function caughtIn(name: string): RegExp {
  const header = source.findIndex((line) => line.startsWith('func ') && line.includes(`${name}(`));
  const literal = source.findIndex((line, at) => at > header && line.includes('defer func('));
  return new RegExp(`, caught at ${literal + 1}$`);
}

/** Returns the names of the opened callees, with the levels of their indentation. */
function opened({ trace: lines }: Traced): readonly string[] {
  return lines.flatMap((line) => /^( *)> ([^(]+)\(/.exec(line)?.slice(1, 3).join('') ?? []);
}

describe('trace_function with opened callees, deferred functions of Go', function () {
  this.timeout(300_000);
  afterEach(cleanUp);

  beforeEach(function () {
    needs(this, 'Go');
  });

  it('are not reached if the condition fails, which Delve reports as an exception', async () => {
    const input = { ...defers, function_name: 'closed', condition: 'unknown > 1' };
    const answer = await call('trace_function', input);
    const text = JSON.stringify(answer, undefined, 1);
    assert.deepEqual(
      [answer['reached'], answer['ended_by']],
      ['not_evaluated', 'breakpoint'],
      text,
    );
    const message = /The condition failed in a call of closed: .*unknown/;
    assert.match(String(answer['message']), message, text);
  });

  it('opens them at the end of a call, with arguments or not', async () => {
    const closed = await trace({ ...defers, function_name: 'closed', depth: 1 });
    assert.equal(closed['callees'], undefined, JSON.stringify(closed));
    assert.equal(withText(closed, 'notes = nil').length, 1);
    assert.equal(closed.returned, '4');
    const noted = await trace({ ...defers, function_name: 'noted', depth: 1 });
    const text = JSON.stringify(noted, undefined, 1);
    assert.equal(noted['callees'], undefined, text);
    assert.deepEqual(opened(noted), ['  note'], text);
    assert.equal(noted.returned, '3', text);
    await assertNothingLeft();
  });

  it('opens them during a panic, and reports where the call recovers and what it returns', async () => {
    const both = await trace({ ...panics, function_name: 'both', depth: 2 });
    const text = JSON.stringify(both, undefined, 1);
    assert.deepEqual(
      opened(both),
      [
        ...['  store.update', '    sweep', '    store.update.func1', '    store.done'],
        ...['  store.update', '    sweep', '    store.update.func1', '    store.done'],
      ],
      text,
    );
    assert.equal(both['callees'], undefined, text);
    assert.equal(both['ended_by'], undefined, text);
    const thrown = withText(both, 'threw panic: runtime.errorString "integer divide by zero"');
    assert.equal(thrown.length, 1, text);
    assert.match(thrown[0] ?? '', caughtIn('store) update'), text);
    assert.equal(withText(both, '< → 20, error nil').length, 1, text);
    assert.equal(withText(both, '< → 0, error(').length, 1, text);
    assert.equal(both.returned, '1', text);
    assert.match(both.at ?? '', /main\.main$/, text);
    await assertNothingLeft();
  });

  it('opens those of each activation of a recursive function', async () => {
    const safe = await trace({ ...panics, function_name: 'safe', depth: 3 });
    const text = JSON.stringify(safe, undefined, 1);
    assert.deepEqual(
      opened(safe),
      [
        ...['  deep', '    deep', '      deep', '      deep.func1', '    deep.func1'],
        '  safe.func1',
      ],
      text,
    );
    assert.equal(safe['callees'], undefined, text);
    assert.equal(safe.returned, '-2', text);
    assert.equal(safe.trace.filter((line) => caughtIn('safe').test(line)).length, 1, text);
    assert.equal(withText(safe, 'n = 1').length, 1, text);
    // A closure has no results, although it changes one of the function around it.
    assert.deepEqual(safe.trace.at(-1), '  < → ?', text);
  });

  it('ends with the goroutine whose first function it traces', async () => {
    const one = await trace({ ...panics, function_name: 'alone', depth: 1 });
    const text = JSON.stringify(one, undefined, 1);
    assert.equal(one['ended_by'], undefined, text);
    assert.equal(one['program'], 'stopped', text);
    assert.deepEqual(opened(one), ['  fib', '  sweep'], text);
    assert.equal(withText(one, '< → 3').length, 1, text);
    assert.match(one.at ?? '', /panics\.go:\d+ main\.alone$/, text);
  });

  it('shows what recursive calls return', async () => {
    const fib = await trace({ ...panics, function_name: 'fib', depth: 2 });
    const ends = fib.trace.filter((line) => /^ +< /.test(line)).map((line) => line.trim());
    const text = JSON.stringify(fib, undefined, 1);
    assert.deepEqual(ends, ['< → 1', '< → 1', '< → 2', '< → 1', '< → 0', '< → 1'], text);
    assert.equal(fib.returned, '3', text);
  });

  it('keeps a later call of the function that has panicked apart from the first one', async () => {
    const retried = await trace({ ...panics, function_name: 'retried', depth: 2 });
    const text = JSON.stringify(retried, undefined, 1);
    assert.deepEqual(opened(retried), ['  measure', '  retried.func1', '    measure'], text);
    assert.equal(withText(retried, '    < → 3').length, 1, text);
    assert.equal(withText(retried, '< threw panic: "empty"').length, 1, text);
    assert.equal(retried.returned, '3', text);
  });

  for (const [call, how] of [
    [1, 'at the end'],
    [2, 'during a panic'],
  ] as const)
    it(`opens each run of a function, and no ordinary call of it as such a run (${how})`, async () => {
      const lenient = await trace({ ...panics, function_name: 'lenient', depth: 2, call });
      const text = JSON.stringify(lenient, undefined, 1);
      assert.deepEqual(
        opened(lenient),
        [
          ...['  strict', '    sweep', '    sweep', '    sweep', '    add'],
          ...['  lenient.func2', '    add', '  sweep', '  lenient.func1'],
        ],
        text,
      );
      assert.equal(lenient['callees'], undefined, text);
      assert.equal(lenient.returned, call === 1 ? '1' : '9', text);
      await assertNothingLeft();
    });

  it('opens them while the stack of the goroutine grows, and in a second panic', async () => {
    const twice = await trace({ ...panics, function_name: 'grownTwice', depth: 2 });
    const text = JSON.stringify(twice, undefined, 1);
    assert.deepEqual(
      opened(twice).filter((name) => name !== '    climb'),
      [
        ...['  grown', '    large', '    grown.func1'],
        ...['  grown', '    large', '    grown.func1'],
      ],
      text,
    );
    assert.equal(twice['callees'], undefined, text);
    const caught = twice.trace.filter((line) => caughtIn('grown').test(line));
    assert.equal(caught.length, 2, text);
    assert.equal(withText(twice, '  < → 5').length, 2, text);
  });

  it('follows a panic in one of them', async () => {
    const again = await trace({ ...panics, function_name: 'again', depth: 1 });
    const text = JSON.stringify(again, undefined, 1);
    assert.deepEqual(opened(again), ['  again.func2', '  again.func1'], text);
    assert.equal(withText(again, '< threw panic: "again: first"').length, 1, text);
    const [first] = withText(again, 'threw panic: "first"');
    assert.match(first ?? '', caughtIn('again'), text);
    assert.equal(again.returned, '"again: first"', text);
  });

  it('goes on where a function of the library recovers', async () => {
    const told = await trace({ ...panics, function_name: 'told', depth: 1 });
    const text = JSON.stringify(told, undefined, 1);
    assert.equal(withText(told, 'no text').length, 1, text);
    assert.equal(withText(told, 'return len(text)').length, 1, text);
    assert.match(told.returned ?? '', /^3\d$/, text);
    const sorted = await trace({ ...panics, function_name: 'sorted', depth: 1 });
    assert.equal(sorted.returned, '7', JSON.stringify(sorted));
  });

  it('leaves the call at the limit of steps, with its value', async () => {
    const both = await trace({ ...panics, function_name: 'both', depth: 1, max_steps: 3 });
    const text = JSON.stringify(both, undefined, 1);
    assert.equal(both['ended_by'], 'max_steps', text);
    assert.equal(both.executed_lines, 3, text);
    const safe = await trace({ ...panics, function_name: 'safe', depth: 1, max_steps: 2 });
    const left = JSON.stringify(safe, undefined, 1);
    assert.equal(safe['ended_by'], 'max_steps', left);
    assert.match(safe.at ?? '', /main\.main$/, left);
    await assertNothingLeft();
  });

  it('reports a panic that leaves the call, or ends the program', async () => {
    const deep = await trace({ ...panics, function_name: 'deep', depth: 1 });
    assert.equal(deep['threw'], 'panic: *errors.errorString *{s: "bottom"}', JSON.stringify(deep));
    assert.match(deep.at ?? '', /main\.safe\.func1$/, JSON.stringify(deep));
    const fatal = await trace({ ...panics, args: ['fatal'], function_name: 'fatal', depth: 1 });
    const text = JSON.stringify(fatal, undefined, 1);
    assert.equal(fatal['ended_by'], 'exception', text);
    assert.deepEqual(opened(fatal), ['  sweep'], text);
    assert.match(String(fatal['threw']), /assignment to entry in nil map/, text);
    await assertNothingLeft();
  });
});
