import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import {
  call,
  cleanUp,
  inWorkspace,
  insideExtension,
  marked,
  type Answer,
} from '../support/client';
import { LANGUAGES, skipWhereMissing } from '../languages/language';

interface Traced extends Answer {
  readonly trace: readonly string[];
  readonly arguments: Readonly<Record<string, string>>;
  readonly returned?: string | null;
  readonly executed_lines: number;
  readonly stepped_lines?: number;
  readonly argument_changes?: readonly string[];
  readonly at?: string;
}

async function trace(input: object): Promise<Traced> {
  const answer = (await call('trace_function', input)) as Traced;
  assert.equal(answer.status, 'stopped', JSON.stringify(answer));
  assert.ok(Array.isArray(answer.trace), JSON.stringify(answer));
  return answer;
}

/** The lines of a trace that hold a text. */
const withText = (answer: Traced, text: string): readonly string[] =>
  answer.trace.filter((each) => each.includes(text));

/** That nothing of a trace is left: no breakpoint, no lease, and the person's breakpoints are as they were. */
async function assertNothingLeft(breakpoints = 0): Promise<void> {
  assert.equal(vscode.debug.breakpoints.length, breakpoints);
  const { model } = await insideExtension();
  const injected = [...model.state.sessions.values()]
    .filter((each) => each.lifecycle !== 'terminated')
    .flatMap((each) => [...each.sourceBreakpoints.values()])
    .flatMap((each) => each.breakpoints)
    .filter((each) => each.injected !== undefined);
  assert.deepEqual(injected, []);
}

const NATIVE = 'native/out/traced';

/** How each language's debugger shows the second call of `total`. */
const TOTALS = [
  { name: 'Python', file: 'python/traced.py', program: 'python/traced.py', isRecorded: true },
  { name: 'Node', file: 'node/traced.js', program: 'node/traced.js', isRecorded: true },
  { name: 'C++', file: 'native/traced.cpp', program: NATIVE, isRecorded: false },
  { name: 'Go', file: 'go/traced/traced.go', program: 'go/traced/traced.go', isRecorded: false },
] as const;

describe('trace_function', function () {
  this.timeout(120_000);
  afterEach(cleanUp);

  for (const { name, file, program, isRecorded } of TOTALS)
    it(`${name}: tells the life of a call, and of one within a recursion`, async function () {
      const language = LANGUAGES.find((each) => each.name === name);
      assert.ok(language);
      skipWhereMissing(this, language);
      if (program === NATIVE) compileNative();
      const total = await trace({ function_name: 'total', file_path: file, program, call: 2 });
      const words = JSON.stringify(total, undefined, 1);
      assert.match(total.arguments['cart'] ?? '', /7.*5.*6|size=6/, words);
      assert.equal(total.arguments['factor'], '3', words);
      assert.equal(total.returned, '121', words);
      assert.equal(total.stepped_lines === undefined, isRecorded, words);
      assert.ok(total.executed_lines >= 23 && total.executed_lines <= 27, words);
      // The round of the 7 has another shape; equal ones are folded.
      if (isRecorded) {
        assert.equal(withText(total, 'round 4 of 6, differs').length, 1, words);
        assert.equal(withText(total, '… round 3, like those shown').length, 1, words);
      }
      assert.ok(withText(total, 'sum: 18 → 88').length === 1, words);
      assert.ok(withText(total, 'item == 7').length + withText(total, 'item === 7').length === 1);
      assert.ok(
        total.argument_changes?.some((each) => /^cart\.total: 0 → 121$/i.test(each)),
        words,
      );
      assert.ok(
        total.argument_changes?.some((each) => /^cart\.note: .*too much/i.test(each)),
        words,
      );
      assert.match(total.at ?? '', /traced\.\w+:\d+ (?:main\.)?main/, words);
      await assertNothingLeft();

      const fact = await trace({ function_name: 'fact', file_path: file });
      const told = JSON.stringify(fact, undefined, 1);
      assert.equal(fact.arguments['n'], '5', told);
      assert.ok(withText(fact, 'rest = 24').length === 1, told);
      assert.ok(fact.executed_lines <= 4, told);
      if (isRecorded) assert.equal(fact.returned, '120', told);
      await assertNothingLeft();
    });

  for (const { name, file, program } of TOTALS.slice(0, 2)) {
    it(`${name}: an exception that leaves, a long loop, and what is never called`, async () => {
      const refused = await trace({ function_name: 'refuse', file_path: file, program });
      assert.match(String(refused['threw']), /^(?:KeyError|TypeError)/, JSON.stringify(refused));
      assert.ok(withText(refused, 'text = ').length >= 1, JSON.stringify(refused));

      const spun = await trace({ function_name: 'spin', file_path: file, max_steps: 5000 });
      assert.equal(spun.arguments['rounds'], '1000');
      assert.equal(spun.returned, '1997', JSON.stringify(spun));
      assert.ok(spun.executed_lines > 3000, JSON.stringify(spun));
      assert.ok(withText(spun, '… rounds 3 to 999').length === 1, JSON.stringify(spun));
      assert.ok(JSON.stringify(spun).length < 2500, JSON.stringify(spun));
      await assertNothingLeft();

      const never = await call('trace_function', { function_name: 'never', file_path: file });
      assert.equal(never.status, 'completed', JSON.stringify(never));
      assert.equal(never['reached'], false);
      assert.equal(never['ended_by'], 'program_end');
      assert.equal(never['breakpoint_bound'], true);
    });

    it(`${name}: a call without end, and the person's breakpoint in one`, async () => {
      const endless = await trace({
        function_name: 'forever',
        file_path: file,
        program,
        args: ['forever'],
        max_steps: 200,
        max_seconds: 20,
      });
      assert.equal(endless['ended_by'], 'max_steps', JSON.stringify(endless));
      assert.equal(endless['program'], 'stopped', JSON.stringify(endless));
      assert.match(endless.at ?? '', /forever/, JSON.stringify(endless));
      await assertNothingLeft();
      await cleanUp();

      const line = marked(file, 'seven') + (name === 'Node' ? 1 : 0);
      const uri = vscode.Uri.file(inWorkspace(file));
      const theirs = new vscode.SourceBreakpoint(
        new vscode.Location(uri, new vscode.Position(line - 1, 0)),
        true,
        'item > 1',
      );
      vscode.debug.addBreakpoints([theirs]);
      const held = await trace({ function_name: 'total', file_path: file, program });
      assert.equal(held['ended_by'], 'breakpoint', JSON.stringify(held));
      assert.match(held.at ?? '', new RegExp(`:${line} `), JSON.stringify(held));
      assert.ok(withText(held, 'item: 1 → 2').length === 1, JSON.stringify(held));
      await assertNothingLeft(1);
    });
  }
});

function compileNative(): void {
  const program = inWorkspace(NATIVE);
  mkdirSync(path.dirname(program), { recursive: true });
  const source = inWorkspace('native/traced.cpp');
  const result = spawnSync('g++', ['-g', '-O0', '-o', program, source], { encoding: 'utf8' });
  assert.equal(result.status, 0, result.stderr);
}
