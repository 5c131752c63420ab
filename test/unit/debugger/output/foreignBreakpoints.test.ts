import { strict as assert } from 'node:assert';
import { DebugModel } from '../../../../src/debugger/state/debugModel';
import { answered, asked, created, sessionOf, told } from '../../support/events';

/** What is kept of a line that js-debug prints about a breakpoint that it was sent. */
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
  model.dispatch(told('output', { category: 'stderr', output, ...said }));
  model.dispatch(told('output', { category: 'stderr', output: 'next\n' }));
  return model
    .output(sessionOf(model.state))
    .read({ since: 0 })
    .map((each) => each.text);
}

const CONDITION = 'name == "x" and value is None';
const SYNTAX = `Syntax error setting breakpoint with condition ${JSON.stringify(CONDITION)} on line 7: Unexpected identifier 'and'`;

describe('what js-debug says of breakpoints in files of other languages', () => {
  it('is no output: a condition that is no JavaScript, before and after its answer', () => {
    for (const isAnswered of [false, true])
      assert.deepEqual(kept(SYNTAX, { condition: CONDITION }, { isAnswered }), ['next']);
    assert.deepEqual(
      kept(`条件断点 ${JSON.stringify(CONDITION)} 语法错误，第 7 行`, { condition: CONDITION }),
      ['next'],
      'in any display language',
    );
  });

  it('nor a log message, nor a hit count', () => {
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

  it('stays where it is of a file of its own, another condition or line, or another debugger', () => {
    const stays = [`${SYNTAX}next`];
    assert.deepEqual(kept(SYNTAX, { condition: CONDITION }, { path: '/app/main.js' }), stays);
    assert.deepEqual(kept(SYNTAX, { condition: 'other' }), stays);
    assert.deepEqual(kept(SYNTAX, { condition: CONDITION, line: 8 }), stays);
    assert.deepEqual(kept(SYNTAX, { condition: CONDITION }, { sessionType: 'test' }), stays);
    assert.deepEqual(kept(`${SYNTAX}\n`, { condition: CONDITION }), [SYNTAX, 'next']);
  });

  it('stays where the program prints it: it has a place, or comes another way', () => {
    for (const said of [{ source: { path: '/app/main.js' } }, { category: 'stdout' }]) {
      const lines = kept(SYNTAX, { condition: CONDITION }, { said });
      assert.ok(lines.some((line) => line.startsWith(SYNTAX)));
    }
  });

  it('stays where nothing of it is quoted: neither a hit count nor a log message', () => {
    const hits = 'Invalid hit condition "% 3 == 0".';
    assert.deepEqual(kept(hits, { hitCondition: '% 2 == 0' }), [`${hits}next`]);
    const plain = 'Syntax error on line 7: undefined ';
    assert.deepEqual(kept(plain, {}), [`${plain}next`]);
    const other = 'Syntax error on line 7:undefined';
    assert.deepEqual(kept(other, { logMessage: '{x!r}' }), [`${other}next`]);
  });

  it('is known by the condition alone where VS Code names no line', () => {
    assert.deepEqual(kept(SYNTAX, { condition: CONDITION, line: undefined }), ['next']);
  });
});
