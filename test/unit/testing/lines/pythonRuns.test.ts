import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readPythonLines } from '../../../../src/testing/lines/pythonLines';
import { countOf, type RanLines } from '../../../../src/testing/lines/ranLines';
import { PYTHON, runText } from '../support/python';

const HAS_MONITORING = spawnSync(PYTHON, ['-c', 'import sys; sys.monitoring']).status === 0;
const TELLS_ALL = spawnSync(PYTHON, ['-c', 'import sys; 1 // (sys.version_info >= (3, 10))']);

/** Runs tests of unittest as `what_ran` does. */
function run(text: string, name: string): RanLines | undefined {
  const folder = mkdtempSync(path.join(tmpdir(), 'lines-'));
  const file = path.join(folder, 'lines.json');
  try {
    runText('unittest', text, { names: ['T', name], env: { AGENT_DEBUGGER_LINES: file } });
    return existsSync(file) ? readPythonLines(readFileSync(file, 'utf8')) : undefined;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const TEXT = `import os
import sys
import threading
import unittest


def pick(n):
    if n > 2:  # 7
        for i in range(2):  # 9
            if i == 1:  # 6
                continue  # 3
            n += i  # 3
        return n  # 3
    return [
        n,  # 4
    ]


def later():
    yield 1  # 1
    yield 2  # 0


class T(unittest.TestCase):
    def test_lines(self):
        for n in range(5):  # 6
            pick(n)  # 5
        worker = threading.Thread(target=pick, args=(3,))  # 1
        worker.start()  # 1
        worker.join()  # 1
        next(later())  # 1
        try:  # 1
            self.fail()  # 1
            pick(9)  # 0
        except AssertionError:  # 1
            pass  # 1
        self.assertEqual(pick(1), [2])  # 1: fails
        pick(9)  # 0

    def test_tracer(self):
        sys.settrace(None)
        pick(1)

    def test_children(self):
        os.system('true')

    def test_exit(self):
        os._exit(0)
`;

/** How often a line runs is in its comment. The loop ends by one more step. */
function marks(lines: RanLines | undefined) {
  const [file] = lines?.files ?? [];
  return TEXT.split('\n').flatMap((line, index) => {
    const mark = / # (\d+)(?:$|:)/.exec(line)?.[1];
    const count = countOf(file?.lines.get(index + 1) ?? []);
    return mark === undefined ? [] : [[index + 1, count, Number(mark)] as const];
  });
}

describe('the lines of Python', function () {
  this.timeout(60_000);

  it('count in all threads, also if an exception leaves them', () => {
    const lines = run(TEXT, 'test_lines');
    const found = marks(lines);
    // 5 + 1 + 1 calls: the numbers 0 to 4, 3, and 1.
    const wrong = found.filter(([, count, mark]) => count !== mark);
    assert.deepEqual(wrong, []);
    assert.ok(lines !== undefined);
    assert.equal(lines.missed, undefined);
    assert.deepEqual(lines.notes, []);
    if (TELLS_ALL.status !== 0) return;
    const silent = [...(lines.files[0]?.lines ?? [])].filter(([, [count]]) => count === 0);
    const never = TEXT.split('\n').flatMap((line, index) =>
      line.endsWith('# 0') ? index + 1 : [],
    );
    for (const line of never)
      assert.ok(
        silent.some(([at]) => at === line),
        String(line),
      );
  });

  it('are not all known if the program traces itself, where Python has no monitoring', () => {
    const lines = run(TEXT, 'test_tracer');
    if (HAS_MONITORING) assert.equal(lines?.missed, undefined);
    else assert.match(lines?.missed ?? '', /trace function/);
  });

  it('say that children ran, and are not known of a process that ended itself', () => {
    const children = run(TEXT, 'test_children');
    assert.deepEqual(children?.notes, ['Child processes are not counted.']);
    assert.equal(run(TEXT, 'test_exit'), undefined);
  });
});
