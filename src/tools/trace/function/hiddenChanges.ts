import { isCompleteText } from '../../../debugger/inspection/completeText';
import type { Change, Values } from './callModel';
import { codeOf } from './executedLine';
import { baseOf } from './values';

/** Methods that usually change their object. */
const CHANGES_OBJECT =
  /\.(?:append|appendleft|extend|insert|remove|pop|popleft|popitem|clear|update|setdefault|add|discard|sort|reverse|push|unshift|shift|splice|fill|set|delete|put|offer|push_back|emplace_back|pop_back|erase)\(/g;

/** The longest name of a place that is read, in characters. */
const MAX_OF_A_PLACE = 100;

/** The longest line whose assignment is read. */
const MAX_OF_A_LINE = 1000;

/**
 * Whether a line may have changed a part of a value that the texts before and after it do not show: an element far
 * behind in a list, or a member of a member. An unchanged text tells nothing then.
 * @param text the line
 * @param changes the changes that the texts show
 * @param now the values after the line
 * @param compared the variables whose whole contents were compared. Default: none
 */
export function mayHideChange(
  text: string,
  changes: readonly Change[],
  now: Values,
  compared: readonly string[] = [],
): boolean {
  const places = partsWritten(text);
  if (places.length === 0) return false;
  const shown = new Set(changes.map(({ name }) => baseOf(name)));
  return places.some((place) => {
    if (shown.has(baseOf(place))) return false;
    if (isCompared(place, compared)) return false;
    const known = knownPart(place, now);
    return known !== undefined && !isCompleteText(known);
  });
}

/** The places to whose parts a line writes, such as `rows` for `rows[3] = 0` and `this.rows` for `this.rows.push(0)`. */
export function partsWritten(text: string): readonly string[] {
  if (text.length > MAX_OF_A_LINE) return [];
  const code = codeOf(text).trim();
  const assigned = assignedPart(code);
  const changed = [...code.matchAll(CHANGES_OBJECT)].flatMap(({ index }) =>
    placeBefore(code, index),
  );
  return [...(assigned === undefined ? [] : [assigned]), ...changed];
}

/** The place whose part a line assigns. Undefined if it assigns a whole variable, or nothing. */
function assignedPart(code: string): string | undefined {
  const end = endOfTarget(code);
  if (end === undefined) return undefined;
  const isPointed = code.startsWith('*');
  const target = code.slice(isPointed ? 1 : 0, end).replaceAll('->', '.');
  const [place = ''] = /^[\p{L}\p{N}_$.#]{1,100}/u.exec(target) ?? [];
  const rest = target.slice(place.length).trim();
  // A declaration has words behind its type: `int total = 0`.
  if (place === '' || (rest !== '' && !rest.startsWith('['))) return undefined;
  return isPointed || rest !== '' || place.includes('.') ? place : undefined;
}

/** The index at which the assigned place ends, without the operator of a compound assignment. */
function endOfTarget(code: string): number | undefined {
  let depth = 0;
  for (let at = 0; at < code.length; at += 1) {
    const character = code.charAt(at);
    if ('([{'.includes(character)) depth += 1;
    else if (')]}'.includes(character)) depth -= 1;
    if (depth !== 0) continue;
    if (/^(?:\+\+|--)/.test(code.slice(at, at + 2))) return at;
    if (character !== '=') continue;
    const isComparison =
      /[=>]/.test(code.charAt(at + 1)) ||
      /(?:^|[^<>])[=!<>]$/.test(code.slice(Math.max(0, at - 2), at));
    if (isComparison) return undefined;
    const operator = /[-+*/%&|^<>?:~]{0,3}$/.exec(code.slice(Math.max(0, at - 3), at))?.[0] ?? '';
    return at - operator.length;
  }
  return undefined;
}

/** The name of the object whose method is called at an index. */
function placeBefore(code: string, end: number): readonly string[] {
  const before = code.slice(Math.max(0, end - MAX_OF_A_PLACE), end);
  let start = before.length;
  while (start > 0 && /[\p{L}\p{N}_$.#]/u.test(before.charAt(start - 1))) start -= 1;
  const place = before.slice(start);
  return /^[\p{L}_$]/u.test(place) ? [place] : [];
}

/** Whether the contents of a place, or of what holds it, were compared. Nothing shows private fields of JavaScript. */
function isCompared(place: string, compared: readonly string[]): boolean {
  return compared.some(
    (name) =>
      place === name || (place.startsWith(`${name}.`) && !place.slice(name.length).includes('#')),
  );
}

/** The text of the innermost part of a place that the values name. */
function knownPart(place: string, now: Values): string | undefined {
  const names = place.split('.');
  for (let length = names.length; length > 0; length -= 1) {
    const text = now.get(names.slice(0, length).join('.'));
    if (text !== undefined) return text;
  }
  return undefined;
}
