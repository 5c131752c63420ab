import { adapterOf } from '../adapters/registry';
import type { Place } from './handles';
import type { Inspector } from './inspector';
import { fieldsRequest, readFieldsAnswer } from './pythonFields';
import { variablesOf, type Variable } from './stackAndVariables';
import type { SessionState } from '../state/state';
import { cutText } from '../texts';
import { isSynthetic } from './variableReader';

/** One level of an object's fields, as short texts. */
export interface ObjectFields {
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** The number of further fields. */
  readonly omitted: number;
}

/** Limits on the objects whose fields are read. */
const MAX_OBJECTS = 5;
const MAX_FIELDS = 10;
/**
 * The maximum number of members that are read. Further members are only counted, and arrays with more elements are not
 * read.
 */
const MAX_MEMBERS_READ = 100;
const MAX_OF_A_FIELD = 160;
/** The limit for all objects together, in characters of their names and values. */
const MAX_IN_ALL = 1500;

/**
 * Whether fields are read by one expression, because the adapter runs the program's properties when it lists members.
 */
export function readsByExpression({ type }: Pick<SessionState, 'type'>): boolean {
  return adapterOf(type).runsCodeToListMembers === true;
}

/**
 * The variables whose fields are read: a method's own object, and objects whose value is only a class name or an
 * address. Functions, lazy values, and groups that the adapter adds are left out.
 */
export function objectsToRead(variables: readonly Variable[]): readonly Variable[] {
  const candidates = variables.filter(
    (variable) =>
      variable.reference > 0 &&
      (variable.indexedVariables ?? 0) <= MAX_MEMBERS_READ &&
      !variable.lazy &&
      !isSynthetic(variable) &&
      !isGlobal(variable) &&
      (isSelf(variable)
        ? !showsMembers(variable.value) && !isFunction(variable)
        : isBare(variable)),
  );
  return [
    ...candidates.filter(isSelf),
    ...candidates.filter((variable) => !isSelf(variable)),
  ].slice(0, MAX_OBJECTS);
}

function isSelf({ name }: Variable): boolean {
  return name === 'this' || name === 'self';
}

/** Whether a variable is the global object. In a function that is not strict, `this` is the global object. */
function isGlobal({ value }: Variable): boolean {
  return /^(?:Object \[)?(?:global|globalThis|Window|[A-Z][A-Za-z]*GlobalScope)\b/.test(value);
}

function isFunction({ type }: Pick<Variable, 'type'>): boolean {
  return type === 'Function' || type === 'function';
}

/** Whether a value shows none of the object's fields. */
function isBare({ value, type }: Variable): boolean {
  return (
    !isFunction({ type }) &&
    value.length <= MAX_OF_A_BARE_TEXT &&
    (BARE.some((pattern) => pattern.test(value)) || isOnlyType(value))
  );
}

const UNNAMED_TYPE = 'struct {';

/**
 * Finds the members of an unnamed struct type, which Go spells out before a value.
 * @returns the index of the type, and the one behind it: undefined if the text was cut before
 */
export function unnamedTypeIn(
  text: string,
): { readonly from: number; readonly to: number | undefined } | undefined {
  const from = text.indexOf(UNNAMED_TYPE);
  if (from === -1) return undefined;
  let depth = 1;
  let at = from + UNNAMED_TYPE.length;
  for (; at < text.length && depth > 0; at += 1) {
    if (text[at] === '{') depth += 1;
    if (text[at] === '}') depth -= 1;
  }
  return { from, to: depth > 0 ? undefined : at };
}

/** Whether a value of Go was cut before the end of its unnamed type. */
function isOnlyType(value: string): boolean {
  const type = unnamedTypeIn(value);
  return type !== undefined && type.to === undefined && /^\*?$/.test(value.slice(0, type.from));
}

const MAX_OF_A_BARE_TEXT = 300;

const BARE: readonly RegExp[] = [
  // JavaScript: an object that shows none of its fields, because they are private or too many for a preview.
  /^[\p{L}_$][\p{L}\p{N}_$.]*(?: \{…?\})?$/u,
  // Java: Person@17. A value with a size is a collection, whose members java-debug reads by calling its methods.
  /^[\p{L}_$][\p{L}\p{N}_$.]*(?:\[\d*\])*@[\da-f]+$/u,
  // C and C++: an address, or a type at an address.
  /^(?:[^"'(){}]{1,200} ?@ ?)?0x[\da-f]+$/i,
  /^\{(?:\.\.\.|…)\}$/,
  // Go: a pointer that was not followed.
  /^\(?\*?[\w./*]{1,200}\)? ?\(0x[\da-f]+\)$/i,
  // Python, with an adapter other than debugpy.
  /^<[\w.<>]{1,200} object at 0x[\da-f]+>$/i,
];

/**
 * Whether a value is a collection or an object that shows all of its members as plain values: `(3) [1, 2, 3]`, `Point
 * {x: 1}`.
 */
export function showsMembers(value: string): boolean {
  return value.length <= 1000 && PLAIN_MEMBERS.test(value);
}

/** Whether a value is a plain one: a complete number or string, a boolean, or null. */
export function isPlain(value: string): boolean {
  return value.length <= 1000 && PLAIN_VALUE.test(value);
}

const PLAIN = String.raw`(?:-?\d+(?:\.\d+)?n?|'[^']*'|"[^"]*"|true|false|null|undefined|None|True|False|nil)`;
const PLAIN_VALUE = new RegExp(`^${PLAIN}$`);
const MEMBER = String.raw`(?:[\w$'"]{1,60} ?(?:=>|[:=]) ?)?${PLAIN}`;
const PLAIN_MEMBERS = new RegExp(
  String.raw`^[\w.<>()[\] ]{0,80}[[({](?:${MEMBER}(?:, ${MEMBER})*)?[\])}]$`,
);

/** The members of an object that are its fields. Inherited and computed members are left out. */
export function fieldsAmong(entries: readonly unknown[]): ObjectFields {
  const members = variablesOf(entries.slice(0, MAX_MEMBERS_READ));
  if (members.some(({ name }) => name === 'globalThis' || name === 'global' || name === 'window'))
    return { fields: [], omitted: 0 };
  const own = members.filter(
    (variable) =>
      variable.name !== '__proto__' &&
      !variable.lazy &&
      !isSynthetic(variable) &&
      !isFunction(variable),
  );
  const fields = own
    .slice(0, MAX_FIELDS)
    .map(({ name, value }) => [name, cutText(value, MAX_OF_A_FIELD)] as const);
  return {
    fields,
    omitted: own.length - fields.length + Math.max(0, entries.length - MAX_MEMBERS_READ),
  };
}

/**
 * Reads the fields of a frame's objects. With debugpy, one request reads the fields of all objects.
 * @param variables resolves when the frame's variables have been read
 * @param onRefusal handles refused requests. Then the fields are left out
 */
export async function readFields(
  inspector: Inspector,
  session: SessionState,
  place: Place,
  frameId: number,
  variables: Promise<readonly Variable[]>,
  signal: AbortSignal,
  onRefusal: (error: unknown) => undefined,
): Promise<ReadonlyMap<Variable, ObjectFields>> {
  const answer = readsByExpression(session)
    ? inspector.read(session, place, 'evaluate', fieldsRequest(frameId), signal).catch(onRefusal)
    : undefined;
  const objects = objectsToRead(await variables);
  const found = new Map<Variable, ObjectFields>();
  if (readsByExpression(session)) {
    const byName = readFieldsAnswer((await answer)?.['result']);
    for (const variable of objects) {
      const read = byName.get(variable.name);
      if (read !== undefined)
        found.set(variable, { fields: read.fields, omitted: read.total - read.fields.length });
    }
  } else {
    const read = await Promise.all(
      objects.map(
        async (variable) =>
          [
            variable,
            await inspector
              .variables(session, place, variable.reference, {}, signal)
              .catch(onRefusal),
          ] as const,
      ),
    );
    for (const [variable, entries] of read)
      if (entries !== undefined) found.set(variable, fieldsAmong(entries));
  }
  return within(found);
}

/** Cuts the fields to the common limit and counts the others. */
function within(found: ReadonlyMap<Variable, ObjectFields>): ReadonlyMap<Variable, ObjectFields> {
  let room = MAX_IN_ALL;
  const kept = new Map<Variable, ObjectFields>();
  for (const [variable, { fields, omitted }] of found) {
    const fitting = fields.filter(([name, value]) => (room -= name.length + value.length) >= 0);
    if (fields.length > 0)
      kept.set(variable, { fields: fitting, omitted: omitted + fields.length - fitting.length });
  }
  return kept;
}
