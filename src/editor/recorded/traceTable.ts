import path from 'node:path';
import * as l10n from '@vscode/l10n';
import type { CallHistory, ExecutedLine } from '../../tools/trace/function/callModel';
import type { RecordedTrace } from '../../tools/trace/recorded';
import { endNotes, notesOf, shown } from './notes';
import type { Row, Table } from './table';

const MAX_OF_A_VALUE = 300;
const MAX_ROWS = 20_000;

/** Returns the executed lines of a traced call and of its opened callees, in order. */
export function traceTable({ history }: RecordedTrace, isCut: boolean): Table {
  const rows: Row[] = [];
  addLines(rows, history, history.path);
  return {
    title: `${shown(history.name, 100)} · ${path.basename(history.path ?? '')}`,
    columns: [l10n.t('Step'), l10n.t('Line'), l10n.t('Code'), l10n.t('Values')],
    rows,
    remarks: [
      ...history.args.map(([name, value]) => ({
        text: `${shown(name, MAX_OF_A_VALUE)} = ${shown(value, MAX_OF_A_VALUE)}`,
      })),
      ...endNotes(history.end, MAX_OF_A_VALUE).map((text) => ({
        text,
        isBad: history.end.kind === 'threw',
      })),
      ...(isCut
        ? [{ text: l10n.t('The first {0} executed lines are kept.', history.lines.length) }]
        : []),
    ],
  };
}

function addLines(rows: Row[], history: CallHistory, outer: string | undefined): void {
  for (const executed of history.lines) {
    if (rows.length >= MAX_ROWS) return;
    rows.push(rowOf(executed, history, rows.length + 1, outer));
    for (const callee of executed.callees)
      if (callee.history !== undefined) addLines(rows, callee.history, outer);
  }
}

function rowOf(
  executed: ExecutedLine,
  { path: file, source }: CallHistory,
  step: number,
  outer: string | undefined,
): Row {
  const { line, thrown } = executed;
  const at = file === outer ? `${line}` : `${path.basename(file ?? '')}:${line}`;
  const notes = notesOf(executed, MAX_OF_A_VALUE).join(', ');
  return {
    cells: [
      { text: `${step}` },
      { text: at },
      { text: shown((source[line - 1] ?? '').trim(), MAX_OF_A_VALUE) },
      { text: notes, state: thrown === undefined ? undefined : 'error' },
    ],
    place: file === undefined ? undefined : { path: file, line },
  };
}
