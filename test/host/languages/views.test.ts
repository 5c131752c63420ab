import { strict as assert } from 'node:assert';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { call, cleanUp, inWorkspace, stopOf, variable, type VariableData } from '../support/client';
import { LANGUAGES, skipWhereMissing } from './language';
import { stackOf, stoppedIn, WAIT, type StackEntry } from './stoppedProgram';

describe('repeated and irrelevant parts', function () {
  this.timeout(300_000);
  let folder = '';

  beforeEach(() => {
    // A folder in the workspace: its files are the person's own.
    folder = mkdtempSync(inWorkspace('views-'));
  });
  afterEach(async () => {
    await cleanUp();
    rmSync(folder, { recursive: true });
  });

  it('Node: folds library frames between own frames into one entry, and returns them on request', async () => {
    const library = path.join(folder, 'node_modules', 'runner');
    mkdirSync(library, { recursive: true });
    writeFileSync(
      path.join(library, 'index.js'),
      'const c = (f) => f();\nconst b = (f) => c(f);\nexports.run = (f) => b(f);\n',
    );
    const stop = await stoppedIn(folder, 'main.js', [
      "const { run } = require('runner');",
      'function test() {',
      '  let a = 1; // stop here',
      '}',
      'run(test);',
    ]);
    const shown = stop.call_stack as readonly StackEntry[];
    assert.deepEqual(shown.map((each) => each.function_name).slice(0, 3), [
      'global.test',
      '3 frames of runner',
      '<anonymous>',
    ]);
    assert.equal(variable(stop, 'this').fields, undefined, 'the global object');
    assert.deepEqual([shown[1]?.folded, shown[1]?.start_frame], [3, 1]);
    assert.deepEqual(
      (await stackOf({ start_frame: 1, levels: 3 })).map((each) => each.function_name),
      ['c', 'b', 'exports.run'],
    );
    assert.ok(
      (await call('get_scopes', { frame_id: shown[1]?.frame_id })).status === 'success',
      'its id is that of the first',
    );
  });

  it('Python: folds test runner frames between own frames into one entry', async function () {
    skipWhereMissing(this, LANGUAGES[1] ?? assert.fail());
    const file = path.join(folder, 'test_it.py');
    writeFileSync(
      file,
      [
        'import unittest',
        'class T(unittest.TestCase):',
        '    def test_it(self):',
        '        a = 1  # stop here',
        'unittest.main()',
      ].join('\n'),
    );
    await call('set_breakpoint', { file_path: file, line_number: 4 });
    // Otherwise debugpy hides the frames of libraries itself.
    await vscode.debug.startDebugging(vscode.workspace.workspaceFolders?.[0], {
      type: 'debugpy',
      request: 'launch',
      name: 'all code',
      program: file,
      justMyCode: false,
    });
    const stop = stopOf(await call('wait_for_stop', WAIT));
    const shown = stop.call_stack as readonly StackEntry[];
    assert.deepEqual(shown.map((each) => each.function_name.replace(/\d+/, 'N')).slice(0, 3), [
      'test_it',
      'N frames of unittest',
      '<module>',
    ]);
  });

  for (const [language, name, lines] of [
    [
      'Python',
      'fact.py',
      [
        'def fact(n):',
        '    if n == 0:',
        '        return 1  # stop here',
        '    return n * fact(n - 1)',
        'fact(10)',
      ],
    ],
    [
      'Node',
      'fact.js',
      [
        "'use strict';",
        'function fact(n) {',
        '  if (n === 0) {',
        '    return 1; // stop here',
        '  }',
        '  return n * fact(n - 1);',
        '}',
        'fact(10);',
      ],
    ],
  ] as const) {
    it(`${language}: folds the frames of a recursion into one entry`, async function () {
      skipWhereMissing(this, LANGUAGES.find((each) => each.name === language) ?? assert.fail());
      const stop = await stoppedIn(folder, name, lines);
      assert.deepEqual(
        (stop.call_stack as readonly StackEntry[]).slice(0, 3).map((each) => each.function_name),
        ['fact', 'fact', '9 more of fact'],
      );
      assert.equal((await stackOf({ levels: 11 })).length, 11);
    });

    it(`${language}: folds equal lines of output into one, with their count`, async function () {
      skipWhereMissing(this, LANGUAGES.find((each) => each.name === language) ?? assert.fail());
      const print = language === 'Python' ? 'print("waiting")' : "console.log('waiting');";
      const stop = await stoppedIn(folder, name.replace('fact', 'print'), [
        ...Array.from({ length: 14 }, () => print),
        language === 'Python' ? 'done = 1  # stop here' : 'let done = 1; // stop here',
      ]);
      assert.ok(stop.output?.includes('waiting (×14)'), JSON.stringify(stop.output));
      const lines = (
        await call('get_debug_output', { session_id: stop.session_id, pattern: 'waiting' })
      )['lines'] as { text: string; times?: number }[];
      assert.deepEqual(
        lines.map(({ text, times }) => [text, times]),
        [['waiting', 14]],
      );
    });
  }

  it('Python: omits the entries that debugpy adds to the members at each depth', async function () {
    skipWhereMissing(this, LANGUAGES[1] ?? assert.fail());
    const stop = await stoppedIn(folder, 'deep.py', [
      'def run():',
      '    table = {"a": [1, 2], "b": {"c": 3}}',
      '    return table  # stop here',
      'run()',
    ]);
    const table = (
      await call('get_variables', {
        variables_reference: variable(stop, 'table').variables_reference,
        depth: 3,
      })
    )['variables'] as VariableData[];
    const children = table.flatMap(
      (each) => (each as VariableData & { children?: VariableData[] }).children ?? [],
    );
    assert.deepEqual(
      children.map((each) => each.name),
      ['0', '1', "'c'"],
    );
    assert.doesNotMatch(
      JSON.stringify(
        table.map((each) => (each as { omitted_children?: number }).omitted_children ?? 0),
      ),
      /[1-9]/,
    );
  });

  for (const [code, prints] of [
    ['sys.exit(3)', 3],
    ['unittest.main()', 1],
  ] as const) {
    it(`Python: reports the stop at ${code} as an end`, async function () {
      skipWhereMissing(this, LANGUAGES[1] ?? assert.fail());
      const file = path.join(folder, 'ends.py');
      writeFileSync(
        file,
        [
          'import sys, unittest',
          'class T(unittest.TestCase):',
          '    def test_it(self):',
          '        self.assertEqual({"x": 1}, {"x": 2})',
          code,
        ].join('\n'),
      );
      const answer = await call('start_debugging', { program: file, ...WAIT });
      const { configuration: _, ...rest } = answer;
      const stop = stopOf(answer);
      assert.deepEqual(
        [stop.reason, stop.exception?.type, stop.exit_code, stop.top_frame_variables],
        ['exception', 'SystemExit', prints, null],
      );
      assert.match(String(answer['message']), new RegExp(`exit code ${prints}`));
      assert.ok(
        JSON.stringify({ ...rest, stop_event_data: { ...stop, output: [] } }).length < 900,
        JSON.stringify(answer),
      );
      const end = await call('continue_debugging', {
        thread_id: stop.thread_id,
        session_id: stop.session_id,
        ...WAIT,
      });
      assert.deepEqual([end.status, end['exit_code']], ['completed', prints]);
    });
  }

  for (const [name, lines] of [
    [
      'assert.js',
      [
        "const assert = require('node:assert');",
        'function check(a) {',
        '  assert.deepStrictEqual(a, { x: 1, y: [1, 2, 3] });',
        '}',
        'check({ x: 2, y: [1, 2, 4] });',
      ],
    ],
    [
      'assert.py',
      ['def check(a):', '    assert a == 1, "these are not the same: %r" % (a,)', 'check(2)'],
    ],
  ] as const) {
    it(`${name}: reports the message of an assertion once`, async function () {
      if (name.endsWith('.py')) skipWhereMissing(this, LANGUAGES[1] ?? assert.fail());
      const file = path.join(folder, name);
      writeFileSync(file, lines.join('\n'));
      const stop = stopOf(await call('start_debugging', { program: file, ...WAIT }));
      assert.match(stop.exception?.type ?? '', /^AssertionError/);
      const [message = ''] = (stop.exception?.message ?? '').split('\n');
      assert.ok(message.length > 10);
      assert.equal(
        JSON.stringify({ ...stop, output: [], source_lines: [] }).split(message).length,
        2,
        JSON.stringify(stop),
      );
    });
  }

  for (const [name, line] of [
    ['long.js', "const long = 'x'.repeat(260000);"],
    ['long.py', "long = 'x' * 260000"],
  ] as const) {
    it(`${name}: reports no wrong length of a value that the debugger has truncated`, async function () {
      if (name.endsWith('.py')) skipWhereMissing(this, LANGUAGES[1] ?? assert.fail());
      const stop = await stoppedIn(folder, name, [
        line,
        name.endsWith('.py') ? 'b = 1  # stop here' : 'let b = 1; // stop here',
      ]);
      const [, least, characters] =
        /… \((at least )?(\d+) characters\)$/.exec(variable(stop, 'long').value) ?? [];
      assert.ok(
        least === undefined
          ? [260_000, 260_002].includes(Number(characters))
          : Number(characters) <= 260_002,
        variable(stop, 'long').value.slice(-50),
      );
      // js-debug fails on half a message: after the program's end, VS Code's views have received the whole value.
      await call('continue_debugging', WAIT);
    });
  }
});
