import { strict as assert } from 'node:assert';
import type { Fields } from '../../../src/debugger/protocol';
import { fastest } from '../../support/growth';
import { ask, type Answer } from '../../unit/support/asking';
import { launched, eventOf } from '../../unit/support/events';
import { bench, paused, type Bench } from '../../unit/support/services';

/** Patterns for which a backtracking engine takes twice as long for each further character. */
const EXPONENTIAL = ['^(a+)+$', '^(?:a|a?)+$'];

/**
 * The allowed growth of the time for twelve further characters. A backtracking engine takes 4,096 times as long, and a
 * busy machine some times as long as a quiet one.
 */
const MAX_GROWTH = 64;

/** A text on which these patterns fail only at its end. */
const failing = (length: number): string => `${'a'.repeat(length)}!`;

/** A bench with a running program that has printed a line. */
function printed(line: string): Bench {
  const on = bench();
  for (const event of launched('a')) on.model.dispatch(event);
  on.model.dispatch(eventOf('output', { category: 'stdout', output: `${line}\n` }, 'a'));
  return on;
}

const containerOf = (on: Bench): number =>
  on.services.inspector.handles.variables(on.services.inspector.placeOf(on.session(), 1), 7, 10, {
    indexedVariables: undefined,
    namedVariables: undefined,
  });

const TOOLS: Readonly<Record<string, (pattern: string, length: number) => Promise<Answer>>> = {
  get_debug_output: (pattern, length) =>
    ask(printed(failing(length)), 'get_debug_output', { pattern }),
  wait_for_stop: (pattern, length) => {
    const on = printed(failing(length));
    const answer = ask(on, 'wait_for_stop', { output_pattern: pattern });
    // The next output is also matched, and ends the wait.
    setImmediate(() =>
      on.model.dispatch(
        eventOf('output', { category: 'stdout', output: `${failing(length)}\na\n` }, 'a'),
      ),
    );
    return answer;
  },
  get_variables: (pattern, length) => {
    const on = paused(bench());
    on.host.on('variables', (): Fields => ({
      variables: [{ name: failing(length), value: '1', variablesReference: 0 }],
    }));
    return ask(on, 'get_variables', {
      variables_reference: containerOf(on),
      name_pattern: pattern,
    });
  },
};

describe('an agent’s regular expression', () => {
  for (const [tool, call] of Object.entries(TOOLS)) {
    for (const pattern of EXPONENTIAL) {
      it(`${pattern} does not block ${tool}`, async () => {
        assert.equal((await call(pattern, 8)).status, 'success');
        const [short, long] = [
          await fastest(() => call(pattern, 16)),
          await fastest(() => call(pattern, 28)),
        ];
        assert.ok(
          long < MAX_GROWTH * short,
          `${short} ms, and ${long} ms for twelve characters more`,
        );
      });
    }

    for (const pattern of [
      'a(?=b)',
      'a(?!b)',
      '(?<=a)b',
      '(?<!a)b',
      '(a)\\1',
      '(?<x>a)\\k<x>',
      '(a',
      'a{3,1}',
    ]) {
      it(`${pattern} is invalid input in ${tool}, and the hint says that nothing was changed`, async () => {
        const answer = await call(pattern, 8);
        assert.deepEqual(
          [answer.status, answer['code']],
          ['error', 'invalid_input'],
          JSON.stringify(answer),
        );
        assert.match(String(answer['hint']), /Nothing was changed\.$/);
      });
    }
  }

  it('is refused or answered within a limited time if it is large and the line is long', async () => {
    const on = printed(`${'ab'.repeat(100_000)}x`);
    const plain = await fastest(() => ask(on, 'get_debug_output', { pattern: 'x$' }));
    // Every engine matches this pattern fast. For the other, each position in the line has a thousand states.
    const large = await fastest(
      () => ask(on, 'get_debug_output', { pattern: 'a[ab]{990}[cd]' }),
      1,
    );
    assert.ok(large < 100 * (plain + 10), `${plain} ms, and ${large} ms`);
  });
});
