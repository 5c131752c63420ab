import { closing } from './brackets';
import type { SourceBody } from './sourceBody';
import type { SourceCall } from './sourceFunction';

const CALL = /(?<![\p{L}\p{N}_])(?:([\p{L}_][\p{L}\p{N}_]*)\.)?([\p{L}_][\p{L}\p{N}_]*)\(/gu;
const KEYWORDS: ReadonlySet<string> = new Set([
  'func',
  'if',
  'for',
  'switch',
  'return',
  'map',
  'chan',
]);
/** Matches the text of a line before a call whose results the statement assigns or returns. */
const ASSIGNS =
  /^\s*((?:if|switch)\s+)?((?:[\p{L}_][\p{L}\p{N}_]*\s*,\s*)*[\p{L}_][\p{L}\p{N}_]*)\s*(:?=)\s*$/u;
const RETURNS = /^\s*return\s+$/;
/** Matches the text behind a call that is the last code of its line. */
const ENDS = /^\s*$/;
/** Matches the text behind a call whose results the header of a block assigns. */
const ENDS_IN_HEADER = /^\s*;.*\{\s*$/;

/**
 * Reads the calls in the body of a Go function.
 * @param isFinal whether the results are final at the `return`. A deferred function may change them.
 */
export function goCalls({ code, lineAt }: SourceBody, isFinal: boolean): readonly SourceCall[] {
  return [...code.matchAll(CALL)].flatMap((match) => {
    const [whole, owner, name = ''] = match;
    const close = closing(code, match.index + whole.length - 1, '()');
    if (KEYWORDS.has(name) || close === undefined) return [];
    const before = code.slice(code.lastIndexOf('\n', match.index) + 1, match.index);
    const after = /^[^\n]*/.exec(code.slice(close + 1))?.[0] ?? '';
    const [, header, names = '', sign] = ASSIGNS.exec(before) ?? [];
    const isAssigned = (header === undefined ? ENDS : ENDS_IN_HEADER).test(after);
    const open = header === undefined ? -1 : code.indexOf('{', close);
    const end = open < 0 ? undefined : closing(code, open, '{}');
    return [
      {
        ...{ name, owner, isNew: false, start: lineAt(match.index), end: lineAt(close) },
        assigned: isAssigned ? names.split(',').flatMap((part) => part.trim() || []) : [],
        block: end === undefined ? undefined : { start: lineAt(open) + 1, end: lineAt(end) - 1 },
        isDeclared: sign === ':=',
        isReturned: isFinal && ENDS.test(after) && RETURNS.test(before),
      },
    ];
  });
}
