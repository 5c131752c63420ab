import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { cleanUp, inWorkspace, marked } from '../support/client';
import { assertNothingLeft, trace, withText, type Traced } from './tracing';

const FILE = 'node/endings.js';

const traceNode = async (input: object): Promise<Traced> =>
  await trace({ program: FILE, file_path: FILE, ...input });

describe('the beginning and the end of a traced Node call', function () {
  this.timeout(300_000);
  afterEach(cleanUp);

  it('includes all rounds of a loop with which the call begins', async () => {
    const answer = await traceNode({ function_name: 'addUp' });
    const text = JSON.stringify(answer);
    assert.match(text, /sums\.all: 0 → 1"/);
    assert.match(text, /sums\.all: 1 → 3"/);
    assert.equal(answer.returned, 'undefined', text);
    assert.deepEqual(answer.argument_changes, ['sums.all: 0 → 3'], text);
    assert.equal('callees' in answer, false, text);
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

  for (const [name, returned] of [
    ['both', '2'],
    ['product', '1'],
  ] as const)
    it(`includes the lines after opened calls, and the value of ${name}`, async () => {
      const answer = await traceNode({ function_name: name, depth: 1 });
      const text = JSON.stringify(answer);
      assert.equal(answer.returned, returned, text);
      assert.equal(answer.trace.filter((line) => line === '  > one()').length, 2, text);
      assert.match(answer.trace.at(-1) ?? '', name === 'both' ? /return sum/ : /< → 1/, text);
    });

  it('is the value that a finally block returns', async () => {
    const answer = await traceNode({ function_name: 'replaced' });
    assert.equal(answer.returned, "'replaced'", JSON.stringify(answer));
  });
});

describe('exceptions in traced Node calls', function () {
  this.timeout(300_000);
  afterEach(cleanUp);

  it('are reported for each opened call that they leave', async () => {
    const answer = await traceNode({ function_name: 'relies', depth: 1 });
    const text = JSON.stringify(answer);
    assert.match(String(answer['threw']), /RangeError/, text);
    assert.match(answer.trace.join('\n'), /^ {2}< threw .*RangeError/m, text);
  });

  it('are reported if the call catches what an opened call could not handle', async () => {
    const answer = await traceNode({ function_name: 'safely', depth: 1 });
    const text = JSON.stringify(answer);
    assert.equal(answer.returned, '-1', text);
    assert.match(answer.trace.join('\n'), /^ {2}< threw .*SyntaxError/m, text);
  });

  it('are reported if built-in code throws them in a line whose calls are opened', async () => {
    const answer = await traceNode({ function_name: 'parseNow', depth: 1 });
    const text = JSON.stringify(answer);
    assert.equal(answer.status, 'stopped', text);
    // The handler gives the exception no name.
    assert.equal(answer['threw'], '?', text);
    assert.equal('returned' in answer, false, text);
    await assertNothingLeft();
  });
});
