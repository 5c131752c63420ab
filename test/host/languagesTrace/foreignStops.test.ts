import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { call, cleanUp, inWorkspace, marked } from '../support/client';
import { LANGUAGES, skipWhereMissing } from '../languages/language';

describe('stops that are no fault: a collection passes them and counts them', function () {
  this.timeout(300_000);
  afterEach(cleanUp);

  it('C++: signals that the program handles, but not one that ends it', async function () {
    skipIfMissing(this, 'C++');
    const [file, program] = ['native/signals.cpp', 'native/out/signals'];
    mkdirSync(path.dirname(inWorkspace(program)), { recursive: true });
    const built = spawnSync('g++', ['-g', '-O0', '-o', inWorkspace(program), inWorkspace(file)]);
    assert.equal(built.status, 0, String(built.stderr));
    const probes = [
      {
        file_path: file,
        line: marked(file, 'square'),
        expressions: ['square'],
        expect: 'square >= 0',
      },
    ];
    const answer = await call('collect_values', { probes, program });
    assert.deepEqual(
      [answer['hits'], answer['ended_by'], answer['passed_stops']],
      [20, 'program_end', { 'signal SIGUSR1': 20 }],
      JSON.stringify(answer),
    );
    const aborted = await call('collect_values', { probes, program, args: ['abort'] });
    assert.deepEqual(
      [aborted['hits'], aborted['ended_by'], aborted['program']],
      [20, 'exception', 'stopped'],
      JSON.stringify(aborted),
    );
  });

  it('Node: promise rejections, whether they are handled later or end the program', async function () {
    skipIfMissing(this, 'Node');
    const file = 'node/later.js';
    const probes = [{ file_path: file, line: marked(file, 'loaded'), expressions: ['id'] }];
    for (const args of [[], ['crash']]) {
      const answer = await call('collect_values', { probes, program: file, args });
      assert.deepEqual(
        [answer['hits'], answer['ended_by'], answer['program']],
        [3, 'program_end', 'ended'],
        JSON.stringify(answer),
      );
      const passed = answer['passed_stops'] as Readonly<Record<string, number>>;
      assert.ok((passed['promise rejection'] ?? 0) > 0, JSON.stringify(answer));
    }
  });
});

function skipIfMissing(context: Mocha.Context, name: string): void {
  const language = LANGUAGES.find((each) => each.name === name);
  assert.ok(language);
  skipWhereMissing(context, language);
}
