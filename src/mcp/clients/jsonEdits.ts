import * as l10n from '@vscode/l10n';
import {
  applyEdits,
  createScanner,
  findNodeAtOffset,
  getNodeValue,
  parseTree,
  printParseErrorCode,
  SyntaxKind,
  type Edit,
  type Node,
  type ParseError,
} from 'jsonc-parser';
import type { EntryValue } from './client';
import { UnusableSettings } from './entryFormat';

/*
 * Edits of single properties in JSON that keep comments, trailing commas and layout. The text is parsed by
 * jsonc-parser. Its `modify` is not used, because it drops comments next to a removed property and reformats whole
 * lines.
 */

/** Parses JSON with comments. Undefined if the text is empty. @throws UnusableSettings */
export function parseJson(text: string): Node | undefined {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const [first] = errors;
  if (first !== undefined)
    throw new UnusableSettings(
      l10n.t('The file is not valid JSON: {0}.', printParseErrorCode(first.error)),
      first.offset,
    );
  return root;
}

/** Adds a property at the end of an object. */
export function insertProperty(
  text: string,
  object: Node,
  name: string,
  value: EntryValue,
): string {
  const last = (object.children ?? []).at(-1);
  if (last === undefined) return insertFirst(text, object, name, value);
  const end = object.offset + object.length - 1;
  const isOneLine = !/[\r\n]/.test(text.slice(object.offset, end));
  return isOneLine
    ? insertInLine(text, last, end, name, value)
    : insertLine(text, last, end, name, value);
}

/** Inserts a property into an empty object. */
function insertFirst(text: string, object: Node, name: string, value: EntryValue): string {
  const eol = eolOf(text);
  const end = object.offset + object.length - 1;
  const outer = indentAt(text, object.offset);
  const indent = outer + unitOf(text);
  const offset = object.offset + text.slice(object.offset, end).trimEnd().length;
  const closing = /[\r\n]/.test(text.slice(offset, end)) ? '' : eol + outer;
  const property = pair(name, value, indent, unitOf(text), eol);
  return apply(text, [{ offset, length: 0, content: `${eol}${indent}${property}${closing}` }]);
}

/** Inserts a property into an object on one line. */
function insertInLine(
  text: string,
  last: Node,
  end: number,
  name: string,
  value: EntryValue,
): string {
  const after = last.offset + last.length;
  const [comma] = commasIn(text, after, end);
  const compact = `${JSON.stringify(name)}:${JSON.stringify(value)}`;
  const edit =
    comma === undefined
      ? { offset: after, length: 0, content: `,${compact}` }
      : { offset: comma + 1, length: 0, content: `${compact},` };
  return apply(text, [edit]);
}

/** Inserts a property on a new line, after the comments that follow the last property. */
function insertLine(
  text: string,
  last: Node,
  end: number,
  name: string,
  value: EntryValue,
): string {
  const eol = eolOf(text);
  const indent = indentAt(text, last.offset);
  const after = last.offset + last.length;
  const [comma] = commasIn(text, after, end);
  const offset = endOfComments(text, comma === undefined ? after : comma + 1, end);
  const line = `${eol}${indent}${pair(name, value, indent, unitOf(text), eol)}`;
  if (comma !== undefined) return apply(text, [{ offset, length: 0, content: `${line},` }]);
  if (offset === after) return apply(text, [{ offset, length: 0, content: `,${line}` }]);
  return apply(text, [
    { offset: after, length: 0, content: ',' },
    { offset, length: 0, content: line },
  ]);
}

/** Replaces a value, in the layout of its line. */
export function replaceValue(text: string, value: Node, by: EntryValue): string {
  return apply(text, [
    {
      offset: value.offset,
      length: value.length,
      content: renderJson(by, indentAt(text, value.offset), unitOf(text), eolOf(text)),
    },
  ]);
}

/** Removes a property with its comma. Comments next to it stay. */
export function removeProperty(text: string, object: Node, property: Node): string {
  const properties = object.children ?? [];
  const end = object.offset + object.length - 1;
  const after = property.offset + property.length;
  const index = properties.indexOf(property);
  const next = properties[index + 1];
  const previous = properties[index - 1];
  const [comma] = commasIn(text, after, next?.offset ?? end);
  const edits: Edit[] = [];
  const endOfOurs =
    comma === undefined || text.slice(after, comma).trim() !== '' ? after : comma + 1;
  if (comma !== undefined && endOfOurs === after)
    edits.push({ offset: comma, length: 1, content: '' });
  if (comma === undefined && previous !== undefined) {
    const [before] = commasIn(text, previous.offset + previous.length, property.offset);
    if (before !== undefined) edits.push({ offset: before, length: 1, content: '' });
  }
  // The line break before the property is removed only if another line break follows, so that no text moves behind a
  // comment.
  const blanks = blanksAt(text, endOfOurs);
  const isLast = /[\r\n]/.test(text.charAt(endOfOurs + blanks));
  const start = isLast ? text.slice(0, property.offset).trimEnd().length : property.offset;
  edits.push({
    offset: start,
    length: endOfOurs + (isLast || next === undefined ? 0 : blanks) - start,
    content: '',
  });
  return collapsed(apply(text, edits), object.offset);
}

/** Writes an object without properties and comments as `{}`. */
function collapsed(text: string, offset: number): string {
  const object = objectAt(text, offset);
  const isBare =
    object?.children?.length === 0 &&
    text.slice(object.offset + 1, object.offset + object.length - 1).trim() === '';
  return isBare
    ? apply(text, [{ offset: object.offset, length: object.length, content: '{}' }])
    : text;
}

function objectAt(text: string, offset: number): Node | undefined {
  const root = parseJson(text);
  const node = root === undefined ? undefined : findNodeAtOffset(root, offset);
  return node?.type === 'object' && node.offset === offset ? node : undefined;
}

/** The offsets of the commas between two offsets, outside comments. */
function commasIn(text: string, from: number, to: number): readonly number[] {
  const scanner = createScanner(text.slice(from, to));
  const commas: number[] = [];
  for (let kind = scanner.scan(); kind !== SyntaxKind.EOF; kind = scanner.scan())
    if (kind === SyntaxKind.CommaToken) commas.push(from + scanner.getTokenOffset());
  return commas;
}

/** The offset after the comments on the same line. */
function endOfComments(text: string, from: number, to: number): number {
  const scanner = createScanner(text.slice(from, to));
  let end = 0;
  for (
    let kind = scanner.scan();
    kind === SyntaxKind.Trivia ||
    kind === SyntaxKind.LineCommentTrivia ||
    kind === SyntaxKind.BlockCommentTrivia;
    kind = scanner.scan()
  ) {
    if (kind !== SyntaxKind.Trivia) end = scanner.getTokenOffset() + scanner.getTokenLength();
    if (kind === SyntaxKind.LineCommentTrivia) break;
  }
  return from + end;
}

const apply = (text: string, edits: readonly Edit[]): string => applyEdits(text, [...edits]);

/** The property of an object with this name. */
export function propertyOf(object: Node | undefined, name: string): Node | undefined {
  return object?.children?.find((property) => keyOf(property) === name);
}

export const keyOf = (property: Node): string => String(property.children?.[0]?.value);
/** A node's value, with ordinary prototypes. */
export const valueOf = (node: Node): unknown =>
  JSON.parse(JSON.stringify(getNodeValue(node))) as unknown;
export const eolOf = (text: string): string => /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';

/** The indentation of the line at an offset. */
function indentAt(text: string, offset: number): string {
  const start =
    Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
  return text.slice(start, start + blanksAt(text, start));
}

function blanksAt(text: string, offset: number): number {
  let end = offset;
  while (text.charAt(end) === ' ' || text.charAt(end) === '\t') end += 1;
  return end - offset;
}

/** The indentation of one level, taken from the first property in the file. */
function unitOf(text: string): string {
  const first = parseJson(text)?.children?.[0];
  const indent = first === undefined ? '' : indentAt(text, first.offset);
  return indent === '' ? '  ' : indent;
}

function pair(name: string, value: EntryValue, indent: string, unit: string, eol: string): string {
  return `${JSON.stringify(name)}: ${renderJson(value, indent, unit, eol)}`;
}

export function renderJson(value: EntryValue, indent: string, unit: string, eol: string): string {
  return JSON.stringify(value, null, unit).replaceAll('\n', eol + indent);
}
