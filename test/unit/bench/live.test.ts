import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { tellsValue } from '../../bench/bugs/findings';
import { LIVE_PROGRAMS } from '../../bench/live/programs';
import { ShellAgent } from '../../bench/live/shellAgent';
import { markedLine } from '../../support/markers';
import { ROOT } from '../support/trace';

const programOf = (file: string): string => path.join(ROOT, 'test/bench/live/programs', file);

describe('bench: live programs', () => {
  it('are eight, in Node and Python', () => {
    assert.equal(new Set(LIVE_PROGRAMS.map(({ file }) => file)).size, 8);
    assert.equal(new Set(LIVE_PROGRAMS.map(({ title }) => title)).size, 8);
    assert.equal(LIVE_PROGRAMS.filter(({ language }) => language === 'Node').length, 4);
  });

  for (const { file, shows } of LIVE_PROGRAMS)
    it(`${file}: its cause is not in its source`, () => {
      const source = readFileSync(programOf(file), 'utf8');
      const cause = shows((marker) => markedLine(programOf(file), marker));
      assert.ok(!tellsValue([source], cause), String(cause));
    });

  it('count a read as a call, and not as a result that shows the cause', () => {
    const agent = new ShellAgent(programOf('.'), 'node/plan.js', 0);
    agent.read();
    assert.equal(agent.cost.calls, 1);
    assert.ok(agent.cost.tokens > 100);
    assert.throws(() => agent.check(/function pagesOf/), /nothing shows/);
    assert.throws(() => agent.edit('no such text', ''), /has 0 times/);
    assert.equal(agent.cost.calls, 1);
  });
});
