import type {
  Callee,
  CallHistory,
  Change,
  ExecutedLine,
} from '../../../../src/tools/trace/function/callModel';

export const SOURCE = [
  'def total(items):',
  '    sum = 0',
  '    for item in items:',
  '        sum += item',
  '        for part in item:',
  '            sum += part',
  '    return sum',
];

export const change = (name: string, now: string, before?: string): Change => ({
  name,
  before,
  now,
});

export const executed = (
  line: number,
  changes: readonly Change[] = [],
  callees: readonly Callee[] = [],
): ExecutedLine => ({ line, changes, callees });

export function history(
  lines: readonly ExecutedLine[],
  more: Partial<CallHistory> = {},
): CallHistory {
  return {
    name: 'total',
    path: '/shop/cart.py',
    source: SOURCE,
    args: [['items', '[3, 5]']],
    lines,
    executed: lines.length,
    end: { kind: 'returned', value: '8' },
    argumentChanges: [],
    ...more,
  };
}

/** A call with a loop of two rounds. */
export const LOOP = history([
  executed(2, [change('sum', '0')]),
  executed(3, [change('item', '3')]),
  executed(4, [change('sum', '3', '0')]),
  executed(3, [change('item', '5', '3')]),
  executed(4, [change('sum', '8', '3')]),
  executed(3),
  executed(7),
]);
