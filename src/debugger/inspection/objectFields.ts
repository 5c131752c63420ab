import { adapterOf } from '../adapters/registry';
import type { Place } from './handles';
import type { Inspector } from './inspector';
import { fieldsQuestion, readFieldsAnswer } from './pythonFields';
import { variablesOf, type Variable } from './stackAndVariables';
import type { SessionState } from '../state/state';
import { cutText } from '../texts';
import { isBeside } from './variableReader';

/** One level of an object's fields, as short texts. */
export interface ObjectFields {
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** How many more it has. */
  readonly omitted: number;
}

/** How much is read of objects whose text says nothing of what is in them. */
const MOST_OBJECTS = 5;
const MOST_FIELDS = 10;
/** An object may have any number of members: what is beyond is counted, and an array of more is not read. */
const MOST_MEMBERS_READ = 100;
const MOST_OF_A_FIELD = 160;
/** Of all objects together, in characters of names and values. */
const MOST_IN_ALL = 1500;

/** Whether fields are read by one expression, since the adapter's own list of members runs the program's properties. */
export function readsByExpression({ type }: Pick<SessionState, 'type'>): boolean {
  return adapterOf(type).runsCodeToListMembers === true;
}

/**
 * The variables whose fields are read: the object that a method belongs to, and objects whose text is a class's name or
 * an address. A function, a lazy value, and what is no part of the frame are none.
 */
export function objectsToRead(variables: readonly Variable[]): readonly Variable[] {
  const candidates = variables.filter(
    (variable) =>
      variable.reference > 0 &&
      (variable.indexedVariables ?? 0) <= MOST_MEMBERS_READ &&
      !variable.lazy &&
      !isBeside(variable) &&
      !isGlobal(variable) &&
      (isSelf(variable)
        ? !showsMembers(variable.value) && !isFunction(variable)
        : isBare(variable)),
  );
  return [
    ...candidates.filter(isSelf),
    ...candidates.filter((variable) => !isSelf(variable)),
  ].slice(0, MOST_OBJECTS);
}

function isSelf({ name }: Variable): boolean {
  return name === 'this' || name === 'self';
}

/** What `this` is in a function that is not strict: nobody's object. */
function isGlobal({ value }: Variable): boolean {
  return /^(?:Object \[)?(?:global|globalThis|Window|[A-Z][A-Za-z]*GlobalScope)\b/.test(value);
}

function isFunction({ type }: Pick<Variable, 'type'>): boolean {
  return type === 'Function' || type === 'function';
}

/** Whether a value's text says nothing of what is in it. */
function isBare({ value, type }: Variable): boolean {
  return (
    !isFunction({ type }) &&
    value.length <= MOST_OF_A_BARE_TEXT &&
    BARE.some((each) => each.test(value))
  );
}

const MOST_OF_A_BARE_TEXT = 300;

const BARE: readonly RegExp[] = [
  // JavaScript: a class that shows none of its fields (private ones, or more than a preview has room for).
  /^[\p{L}_$][\p{L}\p{N}_$.]*(?: \{…?\})?$/u,
  // Java: Person@17. What shows its size is a collection, whose members java-debug reads by calling its methods.
  /^[\p{L}_$][\p{L}\p{N}_$.]*(?:\[\d*\])*@[\da-f]+$/u,
  // C and C++: an address, or a type at an address.
  /^(?:[^"'(){}]{1,200} ?@ ?)?0x[\da-f]+$/i,
  /^\{(?:\.\.\.|…)\}$/,
  // Go: a pointer that is not followed.
  /^\(?\*?[\w./*]{1,200}\)? ?\(0x[\da-f]+\)$/i,
  // Python, by another adapter than debugpy.
  /^<[\w.<>]{1,200} object at 0x[\da-f]+>$/i,
];

/** Whether a text is a collection or an object with all of its members, which are plain values: `(3) [1, 2, 3]`, `Point {x: 1}`. */
export function showsMembers(value: string): boolean {
  return value.length <= 1000 && PLAIN_MEMBERS.test(value);
}

/** Whether a text is a plain value: all of a number, a text, a truth value or nothing. */
export function isPlain(value: string): boolean {
  return value.length <= 1000 && PLAIN_VALUE.test(value);
}

const PLAIN = String.raw`(?:-?\d+(?:\.\d+)?n?|'[^']*'|"[^"]*"|true|false|null|undefined|None|True|False|nil)`;
const PLAIN_VALUE = new RegExp(`^${PLAIN}$`);
const MEMBER = String.raw`(?:[\w$'"]{1,60} ?(?:=>|[:=]) ?)?${PLAIN}`;
const PLAIN_MEMBERS = new RegExp(
  String.raw`^[\w.<>()[\] ]{0,80}[[({](?:${MEMBER}(?:, ${MEMBER})*)?[\])}]$`,
);

/** The fields among an object's members: what it has from its class, and what is computed, are none. */
export function fieldsAmong(entries: readonly unknown[]): ObjectFields {
  const members = variablesOf(entries.slice(0, MOST_MEMBERS_READ));
  if (members.some(({ name }) => name === 'globalThis' || name === 'global' || name === 'window'))
    return { fields: [], omitted: 0 };
  const own = members.filter(
    (variable) =>
      variable.name !== '__proto__' &&
      !variable.lazy &&
      !isBeside(variable) &&
      !isFunction(variable),
  );
  const fields = own
    .slice(0, MOST_FIELDS)
    .map(({ name, value }) => [name, cutText(value, MOST_OF_A_FIELD)] as const);
  return {
    fields,
    omitted: own.length - fields.length + Math.max(0, entries.length - MOST_MEMBERS_READ),
  };
}

/** Where a refusal leaves the objects as they are: their text is still there. */
type Unless = (error: unknown) => undefined;

/**
 * Reads the fields of a frame's objects. In debugpy's frames one question reads those of all.
 * @param variables resolved when the frame's variables are known
 */
export async function readFields(
  inspector: Inspector,
  session: SessionState,
  place: Place,
  frameId: number,
  variables: Promise<readonly Variable[]>,
  signal: AbortSignal,
  unless: Unless,
): Promise<ReadonlyMap<Variable, ObjectFields>> {
  const answer = readsByExpression(session)
    ? inspector.read(session, place, 'evaluate', fieldsQuestion(frameId), signal).catch(unless)
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
            await inspector.variables(session, place, variable.reference, {}, signal).catch(unless),
          ] as const,
      ),
    );
    for (const [each, entries] of read)
      if (entries !== undefined) found.set(each, fieldsAmong(entries));
  }
  return within(found);
}

/** What fits; of the others the number is reported. */
function within(found: ReadonlyMap<Variable, ObjectFields>): ReadonlyMap<Variable, ObjectFields> {
  let room = MOST_IN_ALL;
  const kept = new Map<Variable, ObjectFields>();
  for (const [variable, { fields, omitted }] of found) {
    const fitting = fields.filter(([name, value]) => (room -= name.length + value.length) >= 0);
    if (fields.length > 0)
      kept.set(variable, { fields: fitting, omitted: omitted + fields.length - fitting.length });
  }
  return kept;
}
