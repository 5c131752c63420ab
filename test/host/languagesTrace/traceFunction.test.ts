import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { call, cleanUp, inWorkspace, marked } from '../support/client';
import { LANGUAGES, skipWhereMissing } from '../languages/language';
import { assertNothingLeft, compileNative, NATIVE, trace, withText } from './tracing';

/** The file and the program of each language that has the traced functions. */
const TOTALS = [
  { name: 'Python', file: 'python/traced.py', program: 'python/traced.py' },
  { name: 'Node', file: 'node/traced.js', program: 'node/traced.js' },
  { name: 'C++', file: 'native/traced.cpp', program: NATIVE },
  { name: 'Go', file: 'go/traced/traced.go', program: 'go/traced/traced.go' },
] as const;

describe('trace_function', function () {
  this.timeout(300_000);
  afterEach(cleanUp);

  for (const { name, file, program } of TOTALS)
    it(`${name}: reports a call from its start to its return, and a call within a recursion`, async function () {
      const language = LANGUAGES.find((each) => each.name === name);
      assert.ok(language);
      skipWhereMissing(this, language);
      if (program === NATIVE) compileNative('traced');
      const total = await trace({ function_name: 'total', file_path: file, program, call: 2 });
      const answerText = JSON.stringify(total, undefined, 1);
      assert.match(total.arguments['cart'] ?? '', /7.*5.*6|size=6/, answerText);
      assert.equal(total.arguments['factor'], '3', answerText);
      assert.equal(total.returned, '121', answerText);
      assert.equal(total.stepped_lines, undefined, answerText);
      assert.ok(total.executed_lines >= 23 && total.executed_lines <= 29, answerText);
      // The round of the 7 executes other lines; equal rounds are folded.
      assert.equal(withText(total, 'round 4 of 6, differs').length, 1, answerText);
      assert.equal(withText(total, '… round 3, like those shown').length, 1, answerText);
      assert.ok(withText(total, 'sum: 18 → 88').length === 1, answerText);
      assert.ok(withText(total, 'item == 7').length + withText(total, 'item === 7').length === 1);
      assert.ok(
        total.argument_changes?.some((each) => /^cart\.total: 0 → 121$/i.test(each)),
        answerText,
      );
      assert.ok(
        total.argument_changes?.some((each) => /^cart\.note: .*too much/i.test(each)),
        answerText,
      );
      assert.match(total.at ?? '', /traced\.\w+:\d+ (?:main\.)?main/, answerText);
      await assertNothingLeft();

      const fact = await trace({ function_name: 'fact', file_path: file });
      const reported = JSON.stringify(fact, undefined, 1);
      assert.equal(fact.arguments['n'], '5', reported);
      assert.ok(withText(fact, 'rest = 24').length === 1, reported);
      assert.ok(fact.executed_lines <= 4, reported);
      assert.equal(fact.returned, '120', reported);
      await assertNothingLeft();
    });

  for (const { name, file, program } of TOTALS.slice(0, 2)) {
    it(`${name}: reports an exception that leaves the call, a long loop, and a function that is never called`, async () => {
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

    it(`${name}: ends at its limit in an endless call, and at the person's breakpoint in a call`, async () => {
      const endless = await trace({
        function_name: 'forever',
        file_path: file,
        program,
        args: ['forever'],
        max_steps: 200,
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
