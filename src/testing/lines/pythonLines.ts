import { fields, isFields, listOf, textOf, wholeOf } from '../../debugger/protocol';
import type { RanFile, RanLines } from './ranLines';

/** Reads what `reporters/python/agent_debugger_lines.py` has written. Undefined if it is not whole. */
export function readPythonLines(text: string): RanLines | undefined {
  let report: unknown;
  try {
    report = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isFields(report)) return undefined;
  const files = listOf(report['files']).map((each) => fileOf(fields(each)));
  const notes = [
    ...(report['children'] === true ? ['Child processes are not counted.'] : []),
    ...(report['full'] === true ? ['A line that ran 1000000 times was not counted further.'] : []),
  ];
  const missed = textOf(report['missed']);
  const left = wholeOf(report['left_out']) ?? 0;
  return {
    unit: 'line',
    files,
    missed: missed ?? (left > 0 ? `${left} files are left out` : undefined),
    unread: [],
    notes,
  };
}

function fileOf(entry: Readonly<Record<string, unknown>>): RanFile {
  const lines = new Map<number, readonly number[]>();
  for (const line of listOf(entry['silent'])) lines.set(wholeOf(line) ?? 0, [0]);
  for (const pair of listOf(entry['ran'])) {
    const [line, count] = listOf(pair).map((each) => wholeOf(each) ?? 0);
    lines.set(line ?? 0, [count ?? 0]);
  }
  return {
    path: textOf(entry['path']) ?? '',
    lines,
    isWhole: Array.isArray(entry['silent']),
  };
}
