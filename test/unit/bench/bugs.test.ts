import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { tellsLine, tellsValue } from '../../bench/bugs/findings';
import { NATIVE_BUGS } from '../../bench/bugs/nativeBugs';
import { NODE_BUGS } from '../../bench/bugs/nodeBugs';
import { PYTHON_BUGS } from '../../bench/bugs/pythonBugs';
import { markedLine } from '../../support/markers';
import { ROOT } from '../support/trace';

const BUGS = [...NODE_BUGS, ...PYTHON_BUGS, ...NATIVE_BUGS];
const programOf = (file: string): string => path.join(ROOT, 'test/bench/bugs/programs', file);

describe('bench: bugs', () => {
  it('has eight bugs in each language, each in its own program', () => {
    assert.deepEqual(
      [NODE_BUGS, PYTHON_BUGS, NATIVE_BUGS].map((each) => each.length),
      [8, 8, 8],
    );
    assert.equal(new Set(BUGS.map(({ file }) => file)).size, 24);
  });

  for (const { file, runs, calls } of BUGS)
    it(`${file}: has the marked lines that its runs and probes name`, () => {
      const probes = calls.flatMap((each) => (each.tool === 'collect_values' ? each.probes : []));
      for (const { at } of [{ at: 'cause' }, ...runs, ...probes]) markedLine(programOf(file), at);
      assert.notEqual(runs.at(-1)?.until, undefined, 'the last run goes on until the value shows');
    });

  for (const { file, test } of NODE_BUGS)
    it(`${file}: its test fails`, () => {
      const { status, stdout } = spawnSync(process.execPath, ['--test', programOf(file)], {
        encoding: 'utf8',
        // Without this, the child process takes itself for a part of a test run.
        env: { ...process.env, NODE_TEST_CONTEXT: undefined },
      });
      assert.equal(status, 1, stdout);
      assert.match(stdout, new RegExp(`(?:not ok \\d+ -|✖) ${test}`));
    });
});

describe('bench: lines and values in a response', () => {
  it('finds a line as a place, in source or in a trace, and no other number', () => {
    for (const answer of [
      '{"line":12,"column":3}',
      '{"line_number":12}',
      '{"at":"cart.py:12"}',
      '{"source_lines":[" 11 a","\u003e12 b"]}',
      '{"trace":["12 total = 3  | total: 1 → 3"]}',
      '{"trace":["  12 total = 3"]}',
    ])
      assert.ok(tellsLine(answer, 12), answer);
    for (const answer of ['{"line":121}', '{"hits":12}', '{"at":"cart.py:112"}', '["12"]'])
      assert.ok(!tellsLine(answer, 12), answer);
  });

  it('finds a value, also in JSON within JSON', () => {
    assert.ok(tellsValue(['{"result":"{\\"a\\":\\"K-1\\"}"}'], /"a":"K-1"/));
    assert.ok(tellsValue(['first', 'second'], /first[^]*second/));
    assert.ok(!tellsValue(['{"balance":"33001"}'], /\b3300\b/));
  });
});
