import { strict as assert } from 'node:assert';
import { ask } from '../../support/asking';
import { launched, stopped } from '../../support/events';
import { bench, FILE, type Bench } from '../../support/services';

const SOURCE = `class Tank:
    def __init__(self):
        self.__level = 3
    def fill(self):
        return self
`;

/** A Python program that has stopped in `fill`, and the expressions that its debugger was asked. */
function inFill(sessionType = 'debugpy'): Bench {
  const on = bench();
  for (const event of launched('a', { sessionType })) on.model.dispatch(event);
  on.model.dispatch(stopped(1, { reason: 'breakpoint' }));
  on.workspace.files.set(FILE, SOURCE);
  on.host
    .on('stackTrace', () => ({
      stackFrames: [{ id: 10, name: 'fill', line: 5, column: 1, source: { path: FILE } }],
      totalFrames: 1,
    }))
    .on('evaluate', () => ({ result: '3', variablesReference: 0 }));
  return on;
}

async function sent(on: Bench, expression: string): Promise<unknown> {
  const answer = await ask(on, 'evaluate_expression', { expression });
  assert.equal(answer.status, 'success', JSON.stringify(answer));
  return on.host.sent('evaluate').at(-1)?.['expression'];
}

describe('an expression that is evaluated at a stop', () => {
  it('has the private names of the class around the line, also in functions within it', async () => {
    const on = inFill();
    for (const [expression, evaluated] of [
      ['[self.__level for _ in "__x"]', '[self._Tank__level for _ in "__x"]'],
      ['(lambda: f"{self.__level}")()', '(lambda: f"{self._Tank__level}")()'],
      ['self.__class__', 'self.__class__'],
    ] as const)
      assert.equal(await sent(on, expression), evaluated);
  });

  it('stays as it is in other languages, and where the source cannot be read', async () => {
    assert.equal(await sent(inFill('node'), 'self.__level'), 'self.__level');
    const on = inFill();
    on.workspace.files.clear();
    assert.equal(await sent(on, 'self.__level'), 'self.__level');
  });
});
