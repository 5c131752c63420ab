import { isDeepStrictEqual } from 'node:util';
import * as l10n from '@vscode/l10n';
import type { Node } from 'jsonc-parser';
import { fields } from '../../debugger/protocol';
import { REACHING, type ClientEntry } from './client';
import { UnusableSettings, type EntryFormat, type EntryPlace } from './entryFormat';
import {
  eolOf,
  insertProperty,
  keyOf,
  parseJson,
  propertyOf,
  removeProperty,
  renderJson,
  replaceValue,
  valueOf,
} from './jsonEdits';

/** Our entry in a person's JSON settings. */
export const jsonFormat: EntryFormat = { read, set, remove, hasContainer, others };

function read(text: string, place: EntryPlace): unknown {
  const entry = find(text, place).entry?.children?.[1];
  return entry === undefined ? undefined : valueOf(entry);
}

function set(text: string, place: EntryPlace, entry: ClientEntry): string {
  const { root, container, entry: present } = find(text, place);
  if (root === undefined) {
    const eol = eolOf(text);
    const before = text === '' || /[\r\n]$/.test(text) ? text : text + eol;
    const content = { ...place.newFile, [place.container]: { [place.name]: entry } };
    return before + renderJson(content, '', '  ', eol) + eol;
  }
  if (container === undefined)
    return insertProperty(text, root, place.container, { [place.name]: entry });
  if (present === undefined) return insertProperty(text, container, place.name, entry);
  const old = present.children?.[1];
  if (old?.type !== 'object') return old === undefined ? text : replaceValue(text, old, entry);
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

/** Edits the entry property by property, so that properties that the person has added are kept. */
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
      now = isDeepStrictEqual(valueOf(old), value) ? now : replaceValue(now, old, value);
    else if (object !== undefined) now = insertProperty(now, object, name, value);
  }
  return now;
}

interface FoundProperty {
  readonly root: Node | undefined;
  readonly container: Node | undefined;
  /** The node of the whole property: its name and its value. */
  readonly entry: Node | undefined;
}

function find(text: string, { container: containerName, name }: EntryPlace): FoundProperty {
  const root = parseJson(text);
  if (root === undefined) return { root, container: undefined, entry: undefined };
  if (root.type !== 'object')
    throw new UnusableSettings(l10n.t('The file contains no JSON object.'), root.offset);
  const containerProperty = only(root, containerName);
  const container = containerProperty?.children?.[1];
  if (container === undefined) return { root, container, entry: undefined };
  if (container.type !== 'object')
    throw new UnusableSettings(l10n.t('“{0}” is not an object.', containerName), container.offset);
  return { root, container, entry: only(container, name) };
}

/** The only property with this name. Duplicates are refused, because clients differ in which one they read. */
function only(object: Node, name: string): Node | undefined {
  const [first, second] = (object.children ?? []).filter((property) => keyOf(property) === name);
  if (second !== undefined)
    throw new UnusableSettings(l10n.t('“{0}” is defined twice.', name), second.offset);
  return first;
}
