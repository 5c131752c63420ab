import type { SourceBody } from './braceFunctions';
import type { SourceCall } from './sourceFunction';

const CALL = /(?:([\p{L}_][\p{L}\p{N}_]*)\.)?([\p{L}_][\p{L}\p{N}_]*)\(/gu;
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
  /^\s*(?:(?:if|switch)\s+)?((?:[\p{L}_][\p{L}\p{N}_]*\s*,\s*)*[\p{L}_][\p{L}\p{N}_]*)\s*(:?=)\s*$/u;
const RETURNS = /^\s*return\s+$/;
/** Matches the text behind a call that is the last part of its statement. */
const ENDS = /^\s*(?:$|;|\{|\})/;

/** Reads the calls in the body of a Go function. */
export function goCalls({ code, lineAt }: SourceBody): readonly SourceCall[] {
  return [...code.matchAll(CALL)].flatMap((match) => {
    const [whole, owner, name = ''] = match;
    const close = closing(code, match.index + whole.length - 1);
    if (KEYWORDS.has(name) || close === undefined) return [];
    const before = code.slice(code.lastIndexOf('\n', match.index) + 1, match.index);
    const after = /^[^\n]*/.exec(code.slice(close + 1))?.[0] ?? '';
    const isWhole = ENDS.test(after);
    const assigns = isWhole ? ASSIGNS.exec(before) : null;
    return [
      {
        ...{ name, owner, isNew: false, start: lineAt(match.index), end: lineAt(close) },
        assigned: (assigns?.[1] ?? '').split(',').flatMap((part) => part.trim() || []),
        isDeclared: assigns?.[2] === ':=',
        isReturned: isWhole && RETURNS.test(before),
      },
    ];
  });
}

function closing(code: string, open: number): number | undefined {
  let depth = 0;
  for (let at = open; at < code.length; at += 1) {
    if (code[at] === '(') depth += 1;
    if (code[at] === ')') depth -= 1;
    if (depth === 0) return at;
  }
  return undefined;
}
