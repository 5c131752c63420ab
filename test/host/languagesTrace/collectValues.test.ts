import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { call, cleanUp, inWorkspace, marked } from '../support/client';
import { temporaryFolders } from '../support/temporaryFolders';
import type { Answer } from '../support/stopData';
import { LANGUAGES, skipWhereMissing } from '../languages/language';

interface Collected extends Answer {
  readonly rows: readonly (readonly (string | number | null)[])[];
  readonly columns: readonly string[];
  readonly probes: readonly Record<string, unknown>[];
}

async function collect(input: object): Promise<Collected> {
  return (await call('collect_values', input)) as Collected;
}

const SUBJECTS = [
  {
    name: 'Python',
    file: 'python/collected.py',
    claim: 'total < 20',
    order: /^<Order name='o1', price=10>$/,
  },
  {
    name: 'Node',
    file: 'node/collected.js',
    claim: 'total < 20',
    order: /^Order \{name: "o1", price: 10\}$/,
  },
  {
    name: 'C++',
    file: 'native/collected.cpp',
    claim: 'total < 20',
    order: /^Order \{number: 1, price: 10\}$/,
  },
] as const;

for (const { name, file, claim, order } of SUBJECTS)
  describe(`collect_values: ${name}`, function () {
    this.timeout(300_000);
    let program: string = file;
    before(function () {
      const language = LANGUAGES.find((each) => each.name === name);
      assert.ok(language);
      skipWhereMissing(this, language);
      if (name !== 'C++') return;
      program = 'native/out/collected';
      mkdirSync(path.dirname(inWorkspace(program)), { recursive: true });
      const built = spawnSync('g++', ['-g', '-O0', '-o', inWorkspace(program), inWorkspace(file)]);
      assert.equal(built.status, 0, String(built.stderr));
    });
    afterEach(cleanUp);

    const probes = [
      {
        file_path: file,
        line: marked(file, 'add'),
        expressions: ['price', 'total'],
        expect: claim,
      },
    ];

    it('does not stop the program at each hit', async () => {
      let stops = 0;
      const tracker = vscode.debug.registerDebugAdapterTrackerFactory('*', {
        createDebugAdapterTracker: () => ({
          onDidSendMessage: (message: { readonly event?: string }) => {
            if (message.event === 'stopped') stops += 1;
          },
        }),
      });
      try {
        const answer = await collect({ probes, program, args: ['4', '10'] });
        assert.equal(answer['hits'], 4, JSON.stringify(answer));
      } finally {
        tracker.dispose();
      }
      // A program of Node is held at its first statement.
      assert.equal(stops, name === 'Node' ? 1 : 0);
    });

    it('returns a table, a refuted claim, and the first divergence of another run', async () => {
      const before = temporaryFolders().length;
      const first = await collect({ probes, program, args: ['4', '10'] });
      assert.equal(first.status, 'completed', JSON.stringify(first));
      assert.equal(first['ended_by'], 'program_end', JSON.stringify(first));
      assert.equal(first['hits'], 4, JSON.stringify(first));
      assert.equal(first['program'], 'ended');
      assert.deepEqual(
        first.rows.map((row) => row.map(Number)),
        [
          [1, 9, 0],
          [2, 18, 9],
          [3, 27, 27],
          [4, 36, 54],
        ],
        JSON.stringify(first),
      );
      const [probe] = first.probes;
      assert.equal(probe?.['expect'], 'refuted');
      assert.equal(probe['refuted_hits'], 2);
      const { hit, stack } = probe['counterexample'] as { hit: number; stack: string[] };
      assert.equal(hit, 3);
      assert.match(stack[0] ?? '', /^main/);

      const id = first['collection_id'];
      const same = await collect({ probes, program, args: ['4', '10'], compare_with: id });
      assert.deepEqual(
        same['comparison'],
        { with: id, hits: [4, 4], same: true },
        JSON.stringify(same),
      );
      const other = await collect({ probes, program, args: ['5', '10'], compare_with: id });
      const { first_divergence: divergence } = other['comparison'] as {
        first_divergence: Record<string, unknown>;
      };
      assert.equal(divergence['kind'], 'extra', JSON.stringify(other));
      assert.equal(divergence['hit'], 5);
      assert.equal(temporaryFolders().length, before, 'nothing is left');
    });

    it('collects at several probes, by line and by function, with objects, a condition, and lines that are never reached', async () => {
      const answer = await collect({
        probes: [
          { file_path: file, function_name: 'discount', expressions: ['order', 'percent'] },
          {
            file_path: file,
            line: marked(file, 'discounted'),
            expressions: ['rate'],
            condition: 'percent == 11',
          },
          {
            file_path: file,
            line: marked(file, 'never'),
            expressions: ['total'],
            expect: 'total > 0',
          },
          { file_path: file, line: marked(file, 'print'), expressions: ['nothing.here'] },
        ],
        program,
        args: ['2', '10'],
      });
      assert.equal(answer.status, 'completed', JSON.stringify(answer));
      const [entered, conditional, never, failing] = answer.probes;
      assert.equal(entered?.['hits'], 2, JSON.stringify(answer));
      const [orderText, percent] = answer.rows[0]?.slice(-2) ?? [];
      assert.match(String(orderText), order, JSON.stringify(answer));
      assert.equal(percent, '10', JSON.stringify(answer));
      assert.equal(conditional?.['never_reached'], 'condition_never_true', JSON.stringify(answer));
      assert.equal(never?.['expect'], 'never_reached');
      assert.equal(never['never_reached'], 'not_reached', JSON.stringify(answer));
      assert.equal(failing?.['hits'], 1);
      assert.match(String(answer.rows.at(-1)?.at(-1)), /^!/);
    });

    it('ends at limits and at the person’s breakpoint, and leaves the program as the call requests', async () => {
      const limited = await collect({
        probes,
        program,
        args: ['50', '10'],
        max_hits: 7,
        at_end: 'stay_stopped',
        keep: 'last',
      });
      // The first counterexample is found before the limit is reached.
      assert.equal(limited['ended_by'], 'refuted', JSON.stringify(limited));
      assert.equal(limited.status, 'stopped');
      assert.match(String(limited['at']), /collected/);
      await cleanUp();
      const plain = [{ ...probes[0], expect: undefined }];
      const seven = await collect({ probes: plain, program, args: ['50', '10'], max_hits: 7 });
      assert.deepEqual(
        [seven['ended_by'], seven['hits'], seven['program']],
        ['max_hits', 7, 'ended'],
        JSON.stringify(seven),
      );
      await call('set_breakpoint', { file_path: file, line_number: marked(file, 'print') });
      const stopped = await collect({ probes: plain, program, args: ['3', '10'] });
      assert.deepEqual(
        [stopped.status, stopped['ended_by'], stopped['hits']],
        ['stopped', 'breakpoint', 3],
        JSON.stringify(stopped),
      );
      const end = await call('continue_debugging', { timeout_seconds: 20 });
      assert.equal(end.status, 'completed', JSON.stringify(end));
    });
  });
