import { strict as assert } from 'node:assert';
import { valueBehind } from '../../../../../src/tools/trace/function/valueBehind';
import {
  functionsIn,
  javaScriptProgramCalls,
} from '../../../../../src/tools/trace/function/source/functionsIn';

/** The variable with the value of the call of `label` in line 2, at a stop in a line. The last line is the default. */
async function variable(lines: readonly string[], stopped = lines.length) {
  const text = lines.join('\n');
  const functions = (await functionsIn('/a.ts', text)) ?? [];
  const calls = await javaScriptProgramCalls('/a.ts', text);
  const found = valueBehind({ lines, functions, calls }, { called: 2, stopped }, 'label');
  if (found === undefined || found.variable === undefined) return found && 'the caller’s';
  return `${found.variable}${found.isOutside ? ' outside' : ''}`;
}

describe('what has the value of a call behind it', () => {
  it('is the one that the statement declares, at the next statement of the same block', async () => {
    const call = '  const text = label(values);';
    assert.equal(await variable(['function f(values) {', call, '  use(text);', '}'], 3), 'text');
    assert.equal(
      await variable(['function f(values) {', call, '', '  // Next.', '  g();', '}'], 5),
      'text',
    );
    assert.equal(await variable(['', 'let text = label([1]);', 'use(text);']), 'text outside');
    const between = ['function g() {', '  return 1;', '}'];
    assert.equal(
      await variable(['', 'let text = label([1]);', ...between, 'use(text);']),
      'text outside',
    );
  });

  it('is that of the caller if its statement returns just the call', async () => {
    assert.equal(await variable(['function f() {', '  return label(v);', '}'], 2), 'the caller’s');
    assert.equal(await variable(['function f() {', '  return label(v) + 1;', '}'], 2), undefined);
    assert.equal(await variable(['function f() {', '  return label(v);', '}'], 3), undefined);
    assert.equal(
      await variable(['function f() {', '  return label(v.map(label));', '}'], 2),
      undefined,
    );
  });

  it('is unknown if the variable may be another one', async () => {
    const call = '  const text = label(values);';
    for (const [lines, stopped] of [
      // An older variable, which has its old value if the call has thrown.
      [['try {', '  text = label(v);', '} catch {}', 'use(text);'], 4],
      [['let text;', 'text = label(v);', 'use(text);'], 3],
      [['try {', call, '} catch {}', 'use(text);'], 4],
      // Behind the block, and in its last line.
      [['do {', call, '} while (check());', 'use(text);'], 3],
      [['do {', call, '} while (check());', 'use(text);'], 4],
      // A variable of the same name in an inner block.
      [['{', call, '  {', '    log();', '    const text = 1;', '  }', '}'], 4],
      [['{', call, '  for (const text of list) use(text);', '}'], 3],
      // Another function, and another round of a loop.
      [['{', call, '  const g = () => {', '    use(text);', '  };', '}'], 4],
      [['for (const v of list) {', call, '}'], 1],
    ] as const)
      assert.equal(await variable(lines, stopped), undefined, lines.join('\n'));
  });

  it('is unknown if the value may be another one', async () => {
    for (const lines of [
      // Code between, which may have a disabled breakpoint.
      ['', 'let text = label([1]);', 'reset();', 'use(text);'],
      // Another call of the function in the same statement.
      ['', 'const text = label(parts.map(label));', 'use(text);'],
      ['', 'const text = label(v) + 1;', 'use(text);'],
      ['', 'const text = await other(v);', 'use(text);'],
      ['', 'const { text } = label(v);', 'use(text);'],
    ])
      assert.equal(await variable(lines), undefined, lines.join('\n'));
  });
});
