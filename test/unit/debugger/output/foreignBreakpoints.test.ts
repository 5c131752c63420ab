import { strict as assert } from 'node:assert';
import { DebugModel } from '../../../../src/debugger/state/debugModel';
import { answered, asked, created, sessionOf, eventOf } from '../../support/events';

/** The lines that are kept when js-debug prints a line about a breakpoint that it was sent. */
function kept(
  output: string,
  breakpoints: object,
  { path = '/app/config.py', sessionType = 'pwa-node', isAnswered = false, said = {} } = {},
): string[] {
  const model = new DebugModel();
  model.dispatch(created('a', { sessionType }));
  model.dispatch(
    asked(5, 'setBreakpoints', { source: { path }, breakpoints: [{ line: 7, ...breakpoints }] }),
  );
  if (isAnswered) model.dispatch(answered(5, 'setBreakpoints', { breakpoints: [{ id: 1 }] }));
  model.dispatch(eventOf('output', { category: 'stderr', output, ...said }));
  model.dispatch(eventOf('output', { category: 'stderr', output: 'next\n' }));
  return model
    .output(sessionOf(model.state))
    .read({ since: 0 })
    .map((each) => each.text);
}

const CONDITION = 'name == "x" and value is None';
const SYNTAX = `Syntax error setting breakpoint with condition ${JSON.stringify(CONDITION)} on line 7: Unexpected identifier 'and'`;

describe('messages of js-debug about breakpoints in files of other languages', () => {
  it('are not kept for a condition that is no JavaScript, before and after the response', () => {
    for (const isAnswered of [false, true])
      assert.deepEqual(kept(SYNTAX, { condition: CONDITION }, { isAnswered }), ['next']);
    assert.deepEqual(
      kept(`条件断点 ${JSON.stringify(CONDITION)} 语法错误，第 7 行`, { condition: CONDITION }),
      ['next'],
      'in any display language',
    );
  });

  it('are not kept for a log message or a hit count', () => {
    assert.deepEqual(
      kept(
        "Syntax error setting breakpoint with condition undefined on line 7: Unexpected token ')'",
        { logMessage: '{x!r}' },
      ),
      ['next'],
    );
    assert.deepEqual(
      kept('Invalid hit condition "% 2 == 0". Expected an expression like "> 42" or "== 2".', {
        hitCondition: '% 2 == 0',
      }),
      ['next'],
    );
  });

  it('are kept for its own files, for another condition or line, and from another debugger', () => {
    const stays = [`${SYNTAX}next`];
    assert.deepEqual(kept(SYNTAX, { condition: CONDITION }, { path: '/app/main.js' }), stays);
    assert.deepEqual(kept(SYNTAX, { condition: 'other' }), stays);
    assert.deepEqual(kept(SYNTAX, { condition: CONDITION, line: 8 }), stays);
    assert.deepEqual(kept(SYNTAX, { condition: CONDITION }, { sessionType: 'test' }), stays);
    assert.deepEqual(kept(`${SYNTAX}\n`, { condition: CONDITION }), [SYNTAX, 'next']);
  });

  it('are kept if the program prints them, with a location or in another category', () => {
    for (const said of [{ source: { path: '/app/main.js' } }, { category: 'stdout' }]) {
      const lines = kept(SYNTAX, { condition: CONDITION }, { said });
      assert.ok(lines.some((line) => line.startsWith(SYNTAX)));
    }
  });

  it('are kept if they quote neither the hit count nor the log message', () => {
    const hits = 'Invalid hit condition "% 3 == 0".';
    assert.deepEqual(kept(hits, { hitCondition: '% 2 == 0' }), [`${hits}next`]);
    const plain = 'Syntax error on line 7: undefined ';
    assert.deepEqual(kept(plain, {}), [`${plain}next`]);
    const other = 'Syntax error on line 7:undefined';
    assert.deepEqual(kept(other, { logMessage: '{x!r}' }), [`${other}next`]);
  });

  it('are recognized by the condition alone if VS Code names no line', () => {
    assert.deepEqual(kept(SYNTAX, { condition: CONDITION, line: undefined }), ['next']);
  });
});
