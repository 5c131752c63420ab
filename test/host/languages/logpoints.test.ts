import { strict as assert } from 'node:assert';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { call, cleanUp, errorOf, marked, stopOf } from '../support/client';
import { LANGUAGES, skipWhereMissing } from './language';

const NODE = 'node/scenario.js';
const WAIT = { timeout_seconds: 120 };

describe('logpoints', function () {
  this.timeout(300_000);
  afterEach(cleanUp);

  it('Node: refuses a logpoint with a condition, and offers a condition that prints and does not stop', async () => {
    const at = { file_path: NODE, line_number: marked(NODE, 'add') };
    const { hint } = errorOf(
      await call('set_breakpoint', { ...at, condition: 'i === 2', log_message: 'at {i}: {sum}' }),
      'not_supported',
    );
    const offered = JSON.parse(
      /without log_message: (".*") prints/.exec(hint)?.[1] ?? '',
    ) as string;
    assert.equal((await call('set_breakpoint', { ...at, condition: offered })).status, 'success');
    const answer = await call('start_debugging', { configuration_name: 'Node', ...WAIT });
    assert.equal(answer.status, 'completed', JSON.stringify(answer));
    assert.deepEqual(
      (answer['output'] as string[]).filter((line) => line.startsWith('at ')),
      ['at 2: 1'],
      JSON.stringify(answer),
    );
  });

  it('Node: keeps the text of logpoints in addition to much output, and shows a failing expression without a stack trace', async () => {
    const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'agent-debugger-')));
    try {
      const file = path.join(folder, 'loop.js');
      writeFileSync(
        file,
        'for (let i = 1; i <= 3; i += 1) {\n  const double = i * 2;\n  console.log(double);\n}\nfor (let i = 0; i < 40; i += 1) console.log(`own ${i}`);\n',
      );
      for (const [line, text] of [
        [2, 'at {i}'],
        [3, 'bad {missing}'],
      ] as const)
        await call('set_breakpoint', { file_path: file, line_number: line, log_message: text });
      const answer = await call('start_debugging', { program: file, ...WAIT });
      const output = answer['output'] as string[];
      assert.deepEqual(
        output.filter((line) => line.startsWith('at ')),
        ['at 1', 'at 2', 'at 3'],
        JSON.stringify(answer),
      );
      assert.equal(output.filter((line) => line.startsWith('bad ReferenceError')).length, 3);
      assert.equal(output.at(-1), 'own 39');
      assert.doesNotMatch(output.join('\n'), /^\s+at /m);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('Python: prints a logpoint with a condition only if the condition holds, and does not stop', async function () {
    const python = LANGUAGES.find((each) => each.name === 'Python');
    assert.ok(python);
    skipWhereMissing(this, python);
    await call('set_breakpoint', {
      file_path: python.source,
      line_number: marked(python.source, 'add'),
      condition: 'i == 2',
      log_message: 'at {i}: {sum}',
    });
    // debugpy loses the text that it prints at the moment when the program ends.
    await call('set_breakpoint', {
      file_path: python.source,
      line_number: marked(python.source, 'print'),
    });
    const stop = stopOf(await call('start_debugging', { configuration_name: 'Python', ...WAIT }));
    assert.deepEqual(
      [stop.line, stop.output],
      [marked(python.source, 'print'), ['at 2: 1']],
      JSON.stringify(stop),
    );
  });
});
