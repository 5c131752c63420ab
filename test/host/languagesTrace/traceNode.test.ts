import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { fields } from '../../../src/debugger/protocol';
import { call, cleanUp } from '../support/client';

const FILE = 'node/functionFirst.js';
/** The number of calls of `half`: four, then six. */
const CALLS = 10;

// js-debug stops “on entry” at the first place in a file at which V8 can stop, each time the program reaches it.
describe('tracing a Node program whose file begins with a function', function () {
  this.timeout(300_000);
  afterEach(cleanUp);

  it('traces a call of that function, and a call of the next function', async () => {
    const half = await call('trace_function', {
      program: FILE,
      file_path: FILE,
      function_name: 'half',
      call: 3,
    });
    assert.equal(fields(half['arguments'])['n'], '3', JSON.stringify(half));
    assert.equal(half['returned'], '1.5', JSON.stringify(half));
    await cleanUp();
    const sum = await call('trace_function', {
      program: FILE,
      file_path: FILE,
      function_name: 'sum',
    });
    assert.equal(fields(sum['arguments'])['limit'], '4', JSON.stringify(sum));
    assert.equal(sum['threw'], undefined, JSON.stringify(sum));
    assert.equal(sum['returned'], '5', JSON.stringify(sum));
    // Each place in the call counts, from the first one on.
    assert.match(JSON.stringify(sum['trace']), /let total = 0;  \| total = 0"/);
  });

  it('collects the values of all calls', async () => {
    const probes = [{ file_path: FILE, line_content: 'return doubled / 4', expressions: ['n'] }];
    const collected = await call('collect_values', { program: FILE, probes });
    assert.equal(collected['hits'], CALLS, JSON.stringify(collected));
    assert.equal(collected['ended_by'], 'program_end', JSON.stringify(collected));
  });

  it('traces a call with a configuration that stops on entry', async () => {
    const sum = await call('trace_function', {
      configuration_name: 'Node function first',
      file_path: FILE,
      function_name: 'sum',
    });
    assert.equal(sum['returned'], '5', JSON.stringify(sum));
  });
});

describe('a call of a Node function that the program does not reach', function () {
  this.timeout(300_000);
  afterEach(cleanUp);

  it('is not_evaluated if its condition fails, with the error', async () => {
    const program = 'node/rejections.js';
    const called = { program, file_path: program, function_name: 'checked' };
    const answer = await call('trace_function', { ...called, condition: 'missing > 1' });
    const text = JSON.stringify(answer, undefined, 1);
    assert.deepEqual([answer['reached'], answer['ended_by']], ['not_evaluated', 'program_end']);
    assert.match(
      String(answer['message']),
      /The condition failed in a call of checked: .*missing is not defined/,
      text,
    );
    const condition = '(n === 1 ? missing : n) === 2';
    const met = await call('trace_function', { ...called, condition });
    const found = JSON.stringify(met, undefined, 1);
    assert.deepEqual([met['arguments'], met['returned']], [{ n: '2' }, '2'], found);
    const none = await call('trace_function', { ...called, condition: 'n > 2' });
    assert.equal(none['reached'], false, JSON.stringify(none, undefined, 1));
  });

  it('leaves no count in a program that continues', async () => {
    const started = await call('start_debugging', {
      program: 'node/counted.js',
      output_pattern: 'ticking',
    });
    const session_id = started['session_id'];
    const wanted = { file_path: 'node/counted.js', function_name: 'tick', session_id };
    const answer = await call('trace_function', { ...wanted, call: 1000, max_seconds: 2 });
    assert.equal(answer['reached'], false, JSON.stringify(answer));
    const expression = `Object.getOwnPropertySymbols(globalThis).map(String).filter((name) => name.includes('agentDebugger')).length`;
    const args = { expression, context: 'repl' };
    const left: unknown = await vscode.debug.activeDebugSession?.customRequest('evaluate', args);
    assert.equal(fields(left)['result'], '0', JSON.stringify(left));
  });
});

const RETURNS = 'node/returns.js';

describe('the return value of a traced Node call', function () {
  this.timeout(300_000);
  afterEach(cleanUp);

  for (const [name, returned, nth] of [
    ['quotient', '0.5', 1],
    ['called', '0.5', 1],
    ['lines', '2.5', 1],
    ['object', '{n: 2, double: 4}', 1],
    ['array', '[3, 4, 5]', 1],
    ['either', '0.5', 1],
    ['either', '-6', 2],
    ['constant', '5', 1],
    ['nothing', 'undefined', 1],
    ['deep', '2000', 1],
  ] as const)
    it(`is reported for call ${nth} of ${name}`, async () => {
      const answer = await call('trace_function', {
        program: RETURNS,
        file_path: RETURNS,
        function_name: name,
        call: nth,
      });
      assert.equal(answer['returned'], returned, JSON.stringify(answer));
      assert.equal(answer['stepped_lines'], undefined, JSON.stringify(answer));
    });
});
