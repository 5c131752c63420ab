import { strict as assert } from 'node:assert';
import { breakpointOf, call, set } from '../../support/breakpointCalls';
import { answered, asked } from '../../support/events';
import { bench, FILE, running, type Bench } from '../../support/services';

const PYTHON = '/home/ada/app/main.py';
const OUTSIDE = '/etc/secret.py';
const TEXT = 'import os\n\n# a comment\ndef add(one, two):\n    return one + two\n';

function withPython(): Bench {
  const on = bench();
  for (const file of [PYTHON, OUTSIDE]) on.workspace.files.set(file, TEXT);
  return on;
}

describe('set_breakpoint: information about the line', () => {
  it('returns the text of a line that was named by its number', async () => {
    const on = bench();
    on.workspace.files.set(FILE, `  const a = 1;\n${'x'.repeat(500)}`);
    assert.equal(breakpointOf(await set(on, { line_number: 1 }))['line_text'], 'const a = 1;');
    assert.equal(
      String(breakpointOf(await set(on, { line_number: 2 }))['line_text']).startsWith(
        `${'x'.repeat(120)}…`,
      ),
      true,
    );
    assert.equal(
      breakpointOf(await set(on, { line_content: 'const a = 1;' }))['line_text'],
      undefined,
      'the caller knows it',
    );
  });

  it('reports that the line is blank or a comment, and the next line that seems to have code', async () => {
    const on = withPython();
    assert.match(
      String((await call(on, 'set_breakpoint', { file_path: PYTHON, line_number: 2 }))['hint']),
      /^Line 2 is blank: .* next line with code seems to be 4: def add/,
    );
    assert.match(
      String((await call(on, 'set_breakpoint', { file_path: PYTHON, line_number: 3 }))['hint']),
      /^Line 3 looks like a comment: .* 4: def add/,
    );
    assert.equal(
      (await call(on, 'set_breakpoint', { file_path: PYTHON, line_number: 5 }))['hint'],
      undefined,
    );
  });

  it('reports that Python runs the line of a definition once, not at each call', async () => {
    const on = withPython();
    const lines = ['class Cat:', '    async def eat(self, *, much=1):  # food', '        pass'];
    on.workspace.files.set(PYTHON, [...lines, 'def short(): return 1', 'x = 1'].join('\n'));
    const hint = async (line: number): Promise<unknown> =>
      (await call(on, 'set_breakpoint', { file_path: PYTHON, line_number: line }))['hint'];
    assert.match(String(await hint(1)), /^Line 1 defines a class: .*once.* 2: async def eat/);
    assert.match(
      String(await hint(2)),
      /^Line 2 defines a function: Python runs it once, .* not at each call\. .* 3: pass$/,
    );
    for (const line of [3, 4, 5]) assert.equal(await hint(line), undefined, String(line));
    const js = bench();
    js.workspace.files.set(FILE, 'class Cat:');
    assert.equal((await set(js, { line_number: 1 }))['hint'], undefined);
  });

  it('reports the line to which the running program’s adapter moved the breakpoint', async () => {
    const on = running(bench());
    on.host.on('setBreakpoints', () => ({ breakpoints: [{ id: 1, verified: true, line: 7 }] }));
    assert.equal(
      (await set(on, { line_number: 5 }))['hint'],
      'The debugger moved it to line 7: seven',
    );
  });

  it('reports names in a Python condition that do not occur in the file', async () => {
    const on = withPython();
    const answer = await call(on, 'set_breakpoint', {
      file_path: PYTHON,
      line_number: 5,
      condition: 'on > 1',
    });
    assert.match(String(answer['hint']), /Nothing in the file is named on\./);
    assert.equal(
      (await set(on, { line_number: 5, condition: 'on > 1' }))['hint'],
      undefined,
      'js-debug says it itself',
    );
  });

  it('returns nothing from a file outside the workspace', async () => {
    const on = withPython();
    for (const line of [2, 3, 5]) {
      const answer = await call(on, 'set_breakpoint', {
        file_path: OUTSIDE,
        line_number: line,
        condition: 'nothing',
      });
      assert.deepEqual([breakpointOf(answer)['line_text'], answer['hint']], [undefined, undefined]);
    }
    on.workspace.folders = [{ name: 'app', path: '/home/ada/ap' }];
    assert.equal(
      breakpointOf(await set(on, { line_number: 1 }))['line_text'],
      undefined,
      'a folder of a similar name',
    );
  });

  it('returns no line text for a function breakpoint', async () => {
    const on = running(bench());
    for (const event of [
      asked(60, 'initialize'),
      answered(60, 'initialize', { supportsFunctionBreakpoints: true }),
    ])
      on.model.dispatch(event);
    assert.equal(
      breakpointOf(await call(on, 'set_breakpoint', { function_name: 'main' }))['line_text'],
      undefined,
    );
  });
});
