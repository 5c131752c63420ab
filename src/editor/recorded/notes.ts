import * as l10n from '@vscode/l10n';
import { nearDifference } from '../../results/nearDifference';
import { visibleText } from '../../results/visible';
import type { CallEnd, Change, ExecutedLine } from '../../tools/trace/function/callModel';
import { shortText } from '../../tools/trace/function/renderTrace';

/** Returns what an executed line did, as short texts for a person. @param most the characters of one value */
export function notesOf(executed: ExecutedLine, most: number): readonly string[] {
  const { branch, callees, changes, hasUnknownChanges, thrown } = executed;
  return [
    ...(branch === undefined ? [] : [branch ? l10n.t('true') : l10n.t('false')]),
    ...callees.map(({ name, end }) => `${shown(name, most)}(…) ${endText(end, most)}`.trimEnd()),
    ...changes.map((change) => changeText(change, most)),
    ...(hasUnknownChanges === true ? [l10n.t('changes unknown')] : []),
    ...thrownNotes(thrown, most),
  ];
}

function thrownNotes(thrown: ExecutedLine['thrown'], most: number): readonly string[] {
  if (thrown === undefined) return [];
  const { text, caughtAt } = thrown;
  return [
    l10n.t('threw {0}', shown(text ?? '', most)).trimEnd(),
    ...(caughtAt === undefined ? [] : [l10n.t('caught at line {0}', caughtAt)]),
  ];
}

function changeText({ name, before, now, wasSuspended }: Change, most: number): string {
  const note = wasSuspended === true ? ` (${l10n.t('maybe while suspended')})` : '';
  if (before === undefined) return `${shown(name, most)} = ${shown(now, most)}${note}`;
  const [from, to] = nearDifference(before, now, most);
  return `${shown(name, most)}: ${shown(from, most)} → ${shown(to, most)}${note}`;
}

/** Returns the end of a call: `→ 3`. */
function endText(end: CallEnd, most: number): string {
  if (end.kind === 'open') return '';
  if (end.kind === 'threw')
    return l10n.t('threw {0}', shown(end.exception ?? end.source ?? '', most)).trimEnd();
  const value = end.value === undefined ? '?' : shown(end.value, most);
  return end.isSuspended === true ? l10n.t('yields {0}', value) : `→ ${value}`;
}

/** Returns the end of the traced call, for its last line. */
export function endNotes(end: CallEnd, most: number): readonly string[] {
  if (end.kind === 'returned' && end.value !== undefined)
    return [l10n.t('returned {0}', shown(end.value, most))];
  if (end.kind !== 'threw') return [];
  return [l10n.t('the call threw {0}', shown(end.exception ?? '?', most))];
}

/** Returns a text of the program on one line. Characters that would hide or reorder text are shown as escapes. */
export function shown(text: string, most: number): string {
  return visibleText(shortText(text, most)).replace(/[\u0000-\u001f]/g, ' ');
}
