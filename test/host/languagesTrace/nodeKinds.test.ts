import { strict as assert } from 'node:assert';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import { fields, listOf, textOf } from '../../../src/debugger/protocol';
import { call, cleanUp, inWorkspace, type Answer } from '../support/client';

const FOLDER = 'node/kinds';

/** What V8 itself sees of the function of a kind: breakpoints at all places, and the end that the source says. */
interface Expected {
  readonly line: number;
  readonly ends: string;
  readonly lines: readonly number[];
}

// One program runs each kind again and again. It lives on, so that no trace may leave anything behind.
describe('a traced Node call of each kind', function () {
  this.timeout(480_000);
  let program: vscode.DebugSession | undefined;
  const listening = vscode.debug.onDidStartDebugSession((session) => {
    if (session.parentSession !== undefined) program = session;
  });
  after(async () => {
    listening.dispose();
    await cleanUp();
  });

  it('has the lines and the end that V8 sees', async () => {
    const kinds = await expectedKinds();
    assert.ok(kinds.size > 60, `${kinds.size} kinds`);
    await call('start_debugging', { program: `${FOLDER}/loop.js`, output_pattern: 'ready' });
    const wrong: string[] = [];
    for (const [name, expected] of kinds) {
      const expression = `globalThis.kind = '${name}'`;
      await program?.customRequest('evaluate', { expression, context: 'repl' });
      const answer = await call('trace_function', {
        file_path: `${FOLDER}/kinds.js`,
        line: expected.line,
        max_seconds: 60,
      });
      const seen = { status: answer.status, ...endOf(answer), lines: linesOf(answer) };
      const wanted = { status: 'stopped', ends: expected.ends, lines: expected.lines };
      if (JSON.stringify(seen) !== JSON.stringify(wanted))
        wrong.push(`${name}: ${JSON.stringify(wanted)} but ${JSON.stringify(answer)}`);
    }
    assert.deepEqual(wrong, []);
  });
});

async function expectedKinds(): Promise<ReadonlyMap<string, Expected>> {
  const { stdout } = await promisify(execFile)('node', [inWorkspace(`${FOLDER}/lines.js`)]);
  return new Map(Object.entries(JSON.parse(stdout) as Record<string, Expected>));
}

function endOf(answer: Answer): { readonly ends: string } {
  const { ended_by: early, threw, returned, returned_value: word, end } = fields(answer);
  if (end !== undefined) return { ends: textOf(end) ?? '' };
  if (early !== undefined) return { ends: `open: ${textOf(early) ?? ''}` };
  if (threw !== undefined) return { ends: `threw ${textOf(threw) ?? ''}` };
  return { ends: `returned ${textOf(returned) ?? textOf(word) ?? ''}` };
}

/** The lines that the trace shows, each once. */
function linesOf(answer: Answer): readonly number[] {
  const shown = listOf(fields(answer)['trace']).flatMap((row) => {
    const line = /^\s*(\d+)(?!\S)/.exec(textOf(row) ?? '')?.[1];
    return line === undefined ? [] : [Number(line)];
  });
  return [...new Set(shown)].sort((one, other) => one - other);
}
