import { strict as assert } from 'node:assert';
import vm from 'node:vm';
import {
  ignoredParts,
  printingCondition,
} from '../../../../src/debugger/breakpoints/combinedParts';

describe('combined parts of a breakpoint', () => {
  it('js-debug uses the condition, otherwise the log message, and ignores a hit count next to them', () => {
    const all = { condition: 'x', logMessage: 'y', hitCondition: '> 1' };
    assert.deepEqual(ignoredParts('pwa-node', { condition: 'x', logMessage: 'y' }), {
      used: 'condition',
      ignored: 'logMessage',
    });
    assert.deepEqual(ignoredParts('node', { logMessage: 'y', hitCondition: '> 1' }), {
      used: 'logMessage',
      ignored: 'hitCondition',
    });
    assert.equal(ignoredParts('chrome', all)?.used, 'condition');
    assert.equal(ignoredParts('node', { condition: 'x' }), undefined);
    assert.equal(ignoredParts('debugpy', all), undefined);
    assert.equal(ignoredParts(undefined, all), undefined);
  });

  it('a condition that is false prints what a logpoint with a condition would print', () => {
    const printed: string[] = [];
    const run = (i: number): unknown =>
      vm.runInNewContext(printingCondition('i === 2', 'at `{i}` of {list.length}: $5 \\'), {
        i,
        list: [1, 2, 3],
        console: { log: (text: string) => printed.push(text) },
      });
    assert.deepEqual([run(1), run(2)], [false, false]);
    assert.deepEqual(printed, ['at `2` of 3: $5 \\']);
  });

  it('nested braces become a placeholder in the printing condition', () => {
    assert.equal(printingCondition('a', 'x {({ b: 1 }).b}'), '(a) && (console.log(…), false)');
  });
});
