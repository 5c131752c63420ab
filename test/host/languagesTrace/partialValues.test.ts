import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { call, cleanUp, inWorkspace, marked } from '../support/client';
import type { Answer } from '../support/stopData';
import { LANGUAGES, skipWhereMissing } from '../languages/language';

interface Comparison {
  readonly same: boolean | 'unknown';
  readonly not_compared?: { readonly hits: number; readonly expressions: readonly string[] };
}

const SUBJECTS = [
  { name: 'Python', file: 'python/partial.py', expressions: ['readings', 'deep', 'text'] },
  { name: 'Node', file: 'node/partial.js', expressions: ['readings', 'deep', 'text'] },
  {
    name: 'C++',
    file: 'native/partial.cpp',
    expressions: ['readings', 'fixed', 'prices', 'order', 'many'],
  },
] as const;

for (const { name, file, expressions } of SUBJECTS)
  describe(`values that are shown in part: ${name}`, function () {
    this.timeout(300_000);
    let program: string = file;

    before(function () {
      skipIfMissing(this, name);
      if (name !== 'C++') return;
      program = 'native/out/partial';
      mkdirSync(path.dirname(inWorkspace(program)), { recursive: true });
      const built = spawnSync('g++', ['-g', '-O0', '-o', inWorkspace(program), inWorkspace(file)]);
      assert.equal(built.status, 0, String(built.stderr));
    });
    afterEach(cleanUp);

    for (const expression of expressions)
      it(`${expression}: equal only if the whole value is, and each change is kept`, async () => {
        const probes = [
          { file_path: file, line: marked(file, 'partial'), expressions: [expression] },
        ];
        const first = await call('collect_values', { probes, program, keep: 'changes' });
        assert.equal(first['hits'], 4, JSON.stringify(first));
        assert.equal((first['rows'] as unknown[]).length, 4, JSON.stringify(first));
        assert.equal(first['not_compared'], undefined, JSON.stringify(first));
        const with_ = first['collection_id'];
        const same = await compared({ probes, program, compare_with: with_ });
        assert.equal(same.same, true, JSON.stringify(same));
        const other = await compared({ probes, program, args: ['x'], compare_with: with_ });
        assert.equal(other.same, false, JSON.stringify(other));
      });
  });

describe('values that are shown in part: Go', function () {
  this.timeout(300_000);
  const file = 'go/partial/main.go';
  before(function () {
    skipIfMissing(this, 'Go');
  });
  afterEach(cleanUp);

  it('are not called equal if Delve shows the first 64 elements alone', async () => {
    const probes = [
      { file_path: file, line: marked(file, 'partial'), expressions: ['readings', 'few'] },
    ];
    const first = await call('collect_values', { probes, program: file });
    assert.equal(first['hits'], 1, JSON.stringify(first));
    const with_ = first['collection_id'];
    const partial = await compared({ probes, program: file, compare_with: with_ });
    assert.equal(partial.same, 'unknown', JSON.stringify(partial));
    assert.deepEqual(partial.not_compared?.expressions, ['readings']);
    const other = await compared({ probes, program: file, args: ['x'], compare_with: with_ });
    assert.equal(other.same, false, JSON.stringify(other));
  });
});

for (const { name, program } of [
  { name: 'Python', program: 'python/hiddenPart.py' },
  { name: 'Node', program: 'node/hiddenPart.js' },
] as const)
  describe(`a change of a part that is not shown: ${name}`, function () {
    this.timeout(300_000);
    before(function () {
      skipIfMissing(this, name);
    });
    afterEach(cleanUp);

    it('is told by a trace, and an assignment of the same value is no change', async () => {
      const input = { file_path: program, function_name: 'fix', program };
      const answer = await call('trace_function', input);
      const changes = (answer['trace'] as string[]).map((line) => line.split('  | ')[1]);
      const expected = ['readings[80]: 80 → -1', 'grid[20][25]: 0 → 5', undefined, undefined];
      assert.deepEqual(changes, expected, JSON.stringify(answer));
      assert.deepEqual(answer['argument_changes'], ['readings[80] = -1', 'grid[20][25] = 5']);
    });
  });

function skipIfMissing(context: Mocha.Context, name: string): void {
  const language = LANGUAGES.find((each) => each.name === name);
  assert.ok(language);
  skipWhereMissing(context, language);
}

async function compared(input: object): Promise<Comparison> {
  const answer: Answer = await call('collect_values', input);
  return answer['comparison'] as Comparison;
}
