import type {
  CallEnd,
  CallHistory,
  TracedFunction,
  Values,
} from '../../../src/tools/trace/function/callModel';
import { CallTrace } from '../../../src/tools/trace/function/callTrace';
import { renderTrace } from '../../../src/tools/trace/function/renderTrace';

/** The values that are seen at a line, as strings. */
export const values = (of: Record<string, unknown>): Values =>
  new Map(Object.entries(of).map(([name, value]) => [name, String(value)]));

export type Seen = readonly [line: number, of: Record<string, unknown>];

export const NOTHING: CallEnd = { kind: 'returned', value: undefined };

/** The history of a call of a function, from each executed line and the values seen there. */
export function historyOf(
  source: string,
  seen: readonly Seen[],
  {
    end = NOTHING,
    last,
    parameters,
    outside = {},
  }: {
    end?: CallEnd;
    last?: Values;
    parameters?: string[];
    outside?: Partial<TracedFunction>;
  } = {},
): CallHistory {
  const lines = source.split('\n');
  const trace = new CallTrace(
    {
      name: 'f',
      path: '/app/f.py',
      source: lines,
      range: { start: 1, end: lines.length },
      parameters: parameters?.map((name) => ({ name })),
      ...outside,
    },
    values(seen[0]?.[1] ?? {}),
  );
  for (const [line, of] of seen) trace.at(line, values(of));
  return trace.finish(end, last);
}

/** The lines of a trace, as an answer shows them. */
export const shown = (history: CallHistory): readonly string[] =>
  renderTrace(history, 100_000).lines;
