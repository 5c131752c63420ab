import { isDeepStrictEqual } from 'node:util';
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
import { fields } from '../../debugger/protocol';
import { REACHING, type ClientEntry, type EntryValue } from './client';
import { UnusableSettings, type EntryFormat, type EntryPlace } from './entryFormat';

/*
 * Edits of our own entry in a person's JSON, which keep comments, trailing commas and layout. jsonc-parser parses; its
 * `modify` is not used, because it drops comments beside a removed property and formats whole lines anew.
 */

export const jsonFormat: EntryFormat = { read, set, remove, hasContainer, others };

function read(text: string, place: EntryPlace): unknown {
  const entry = find(text, place).entry?.children?.[1];
  return entry === undefined ? undefined : valueOf(entry);
}

function set(text: string, place: EntryPlace, entry: ClientEntry): string {
  const { root, container, entry: present } = find(text, place);
  if (root === undefined) {
    const before = text === '' || /[\r\n]$/.test(text) ? text : `${text}${eolOf(text)}`;
    return `${before}${render({ ...place.newFile, [place.container]: { [place.name]: entry } }, '', '  ', eolOf(text))}${eolOf(text)}`;
  }
  if (container === undefined) return insert(text, root, place.container, { [place.name]: entry });
  if (present === undefined) return insert(text, container, place.name, entry);
  const old = present.children?.[1];
  if (old?.type !== 'object') return old === undefined ? text : replace(text, old, entry);
  return merge(text, place, entry);
}

function remove(
  text: string,
  place: EntryPlace,
  { withContainer } = { withContainer: false },
): string | undefined {
  const { container, entry } = find(text, place);
  if (container === undefined || entry === undefined) return undefined;
  const left = removeProperty(text, container, entry);
  const { root, container: emptied } = find(left, place);
  const property = propertyOf(root, place.container);
  // An object with a comment in it is not empty.
  const isEmpty =
    emptied !== undefined && left.slice(emptied.offset, emptied.offset + emptied.length) === '{}';
  return withContainer && isEmpty && root !== undefined && property !== undefined
    ? removeProperty(left, root, property)
    : left;
}

function hasContainer(text: string, place: EntryPlace): boolean {
  return find(text, place).container !== undefined;
}

function others(text: string, place: EntryPlace): object {
  const { root, container } = find(text, place);
  const { [place.container]: _servers, ...rest } = root === undefined ? {} : fields(valueOf(root));
  const servers = Object.entries(container === undefined ? {} : fields(valueOf(container))).filter(
    ([name]) => name !== place.name,
  );
  return servers.length === 0 ? rest : { ...rest, [place.container]: Object.fromEntries(servers) };
}

/** Edits property by property, so that what the person has added to our entry stays. */
function merge(text: string, place: EntryPlace, entry: ClientEntry): string {
  let now = text;
  const properties = (): readonly Node[] => find(now, place).entry?.children?.[1]?.children ?? [];
  for (const name of properties().map(keyOf)) {
    const object = find(now, place).entry?.children?.[1];
    const property = propertyOf(object, name);
    if (REACHING.has(name) && !(name in entry) && object !== undefined && property !== undefined)
      now = removeProperty(now, object, property);
  }
  for (const [name, value] of Object.entries(entry)) {
    const object = find(now, place).entry?.children?.[1];
    const old = propertyOf(object, name)?.children?.[1];
    if (old !== undefined)
      now = isDeepStrictEqual(valueOf(old), value) ? now : replace(now, old, value);
    else if (object !== undefined) now = insert(now, object, name, value);
  }
  return now;
}

interface FoundProperty {
  readonly root: Node | undefined;
  readonly container: Node | undefined;
  /** The whole property: its name and its value. */
  readonly entry: Node | undefined;
}

function find(text: string, { container: containerName, name }: EntryPlace): FoundProperty {
  const root = parse(text);
  if (root === undefined) return { root, container: undefined, entry: undefined };
  if (root.type !== 'object')
    throw new UnusableSettings(l10n.t('The file holds no JSON object.'), root.offset);
  const containerProperty = only(root, containerName);
  const container = containerProperty?.children?.[1];
  if (container === undefined) return { root, container, entry: undefined };
  if (container.type !== 'object')
    throw new UnusableSettings(l10n.t('“{0}” is not an object.', containerName), container.offset);
  return { root, container, entry: only(container, name) };
}

/** Two properties with the same name are refused: clients differ in which one they read. */
function only(object: Node, name: string): Node | undefined {
  const [first, second] = (object.children ?? []).filter((property) => keyOf(property) === name);
  if (second !== undefined)
    throw new UnusableSettings(l10n.t('“{0}” is there twice.', name), second.offset);
  return first;
}

function parse(text: string): Node | undefined {
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

function insert(text: string, object: Node, name: string, value: EntryValue): string {
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

/** Inserts a property on a line of its own, after the comments that follow the last one. */
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

function replace(text: string, value: Node, by: EntryValue): string {
  return apply(text, [
    {
      offset: value.offset,
      length: value.length,
      content: render(by, indentAt(text, value.offset), unitOf(text), eolOf(text)),
    },
  ]);
}

function removeProperty(text: string, object: Node, property: Node): string {
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
  // The line break before it is removed only if one follows: nothing may move behind a comment.
  const blanks = blanksAt(text, endOfOurs);
  const isLast = /[\r\n]/.test(text.charAt(endOfOurs + blanks));
  const start = isLast ? text.slice(0, property.offset).trimEnd().length : property.offset;
  edits.push({
    offset: start,
    length: endOfOurs + (isLast || next === undefined ? 0 : blanks) - start,
    content: '',
  });
  const result = apply(text, edits);
  const kept = objectAt(result, object.offset);
  const isBare =
    kept?.children?.length === 0 &&
    result.slice(kept.offset + 1, kept.offset + kept.length - 1).trim() === '';
  return isBare
    ? apply(result, [{ offset: kept.offset, length: kept.length, content: '{}' }])
    : result;
}

function objectAt(text: string, offset: number): Node | undefined {
  const root = parse(text);
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
function propertyOf(object: Node | undefined, name: string): Node | undefined {
  return object?.children?.find((property) => keyOf(property) === name);
}

const keyOf = (property: Node): string => String(property.children?.[0]?.value);
/** A node's value, with ordinary prototypes. */
const valueOf = (node: Node): unknown => JSON.parse(JSON.stringify(getNodeValue(node))) as unknown;
const eolOf = (text: string): string => /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';

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
  const first = parse(text)?.children?.[0];
  const indent = first === undefined ? '' : indentAt(text, first.offset);
  return indent === '' ? '  ' : indent;
}

function pair(name: string, value: EntryValue, indent: string, unit: string, eol: string): string {
  return `${JSON.stringify(name)}: ${render(value, indent, unit, eol)}`;
}

function render(value: EntryValue, indent: string, unit: string, eol: string): string {
  return JSON.stringify(value, null, unit).replaceAll('\n', eol + indent);
}
