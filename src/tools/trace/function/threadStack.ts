import { adapterOf } from '../../../debugger/adapters/registry';
import { fieldName } from '../../../debugger/inspection/changes';
import type { Place } from '../../../debugger/inspection/handles';
import { FRAMES_OF_A_STOP } from '../../../debugger/inspection/framePage';
import type { Inspector } from '../../../debugger/inspection/inspector';
import type { Prefetched } from '../../../debugger/inspection/prefetch';
import {
  noting,
  readLocals,
  readLocalsWithFields,
  type LocalVariables,
} from '../../../debugger/inspection/localVariables';
import { fieldsAmong } from '../../../debugger/inspection/objectFields';
import {
  topFrame,
  variablesOf,
  type Frame,
  type Variable,
} from '../../../debugger/inspection/stackAndVariables';
import { isSynthetic } from '../../../debugger/inspection/variableReader';
import type { SessionState } from '../../../debugger/state/state';
import type { ToolServices } from '../../services';
import type { TracedFunction, Values } from './callModel';

/** A stopped thread, with the data that a trace needs. */
export interface ThreadStack {
  readonly session: SessionState;
  readonly threadId: number;
  readonly top: Frame;
  /** The frames that called the top frame, the nearest first. */
  readonly callers: readonly Frame[];
  /** The number of frames. Undefined if the adapter does not report it. */
  readonly total: number | undefined;
  readonly values: Values;
  /** Return values that the adapter shows in addition to the variables. */
  readonly returned: readonly Returned[];
}

export interface Returned {
  /** The name of the function. Empty if the adapter does not report it. */
  readonly by: string;
  /** The text of the value. It includes the members if the text would otherwise be only the name of a class. */
  readonly value: string;
}

/**
 * The part of a frame that is read: nothing, its variables, or its variables with the fields of objects. Each level
 * costs requests.
 */
export type Detail = Prefetched;

/**
 * Reads the place of a stopped thread and the values of its frame. Returns undefined if the thread has no frame.
 * @throws Superseded if the thread has continued
 */
export async function stackOf(
  { inspector, model }: Pick<ToolServices, 'inspector' | 'model'>,
  sessionKey: string,
  threadId: number,
  signal: AbortSignal,
  detail: Detail = 'fields',
): Promise<ThreadStack | undefined> {
  const session = model.state.sessions.get(sessionKey);
  if (session === undefined) return undefined;
  const place = inspector.placeOf(session, threadId);
  return await inspector.limited(signal, async (limited) => {
    const page = await inspector.frames(session, place, 0, FRAMES_OF_A_STOP, limited);
    const top = topFrame(page.frames);
    if (top === undefined) return undefined;
    const callers = page.frames.slice(page.frames.indexOf(top) + 1);
    const read = detail === 'fields' ? readLocalsWithFields : readLocals;
    const locals =
      detail === 'frames'
        ? { variables: [] }
        : await read(inspector, session, place, top, limited, noting([]));
    const returned = await returnedIn(inspector, session, place, locals, limited);
    const values = valuesIn(session, locals);
    return { session, threadId, top, callers, total: page.total, values, returned };
  });
}

type Locals = Pick<LocalVariables, 'variables'>;

/** Returns the texts of the variables and of the fields of their objects. */
export function valuesIn({ type }: Pick<SessionState, 'type'>, { variables }: Locals): Values {
  const { returnedBy } = adapterOf(type);
  const values = new Map<string, string>();
  for (const { variable, hiddenIn, object } of variables) {
    const { name, value } = variable;
    if (returnedBy?.(name) !== undefined || hiddenIn !== undefined) continue;
    // Delve shows unnamed results as `~r0`, before they are set. The first iterator of a comprehension in Python is `.0`.
    if (variable.lazy || isSynthetic(variable) || /^[~.]/.test(name)) continue;
    values.set(name, value);
    for (const [field, text] of object?.fields ?? [])
      // The value that a C++ reference refers to.
      values.set(field === `&${name}` ? name : fieldName(name, field), text);
  }
  return values;
}

async function returnedIn(
  inspector: Inspector,
  session: SessionState,
  place: Place,
  { variables }: Locals,
  signal: AbortSignal,
): Promise<readonly Returned[]> {
  const { returnedBy } = adapterOf(session.type);
  const found = variables.flatMap(({ variable }) => {
    const by = returnedBy?.(variable.name);
    return by === undefined ? [] : [{ by, variable }];
  });
  return await Promise.all(
    found.map(async ({ by, variable }) => ({
      by,
      value: await textWithMembers(inspector, session, place, variable, signal),
    })),
  );
}

/** Returns the text of a value, with its members if the text would otherwise be only the name of a class. */
export async function textWithMembers(
  inspector: Inspector,
  session: SessionState,
  place: Place,
  variable: Pick<Variable, 'value' | 'reference' | 'indexedVariables'>,
  signal: AbortSignal,
): Promise<string> {
  const { value, reference, indexedVariables = 0 } = variable;
  const isRead = reference > 0 && indexedVariables <= MAX_MEMBERS && IS_BARE.test(value);
  if (!isRead) return value;
  const members = await inspector
    .variables(session, place, reference, {}, signal)
    .catch(noting([]));
  if (members === undefined) return value;
  if (value !== 'Promise') return withMembers(value, members);
  const opened = members.map((member) => withResult(inspector, session, place, member, signal));
  return withMembers(value, await Promise.all(opened));
}

/** The name under which js-debug shows what a promise was settled with. */
const RESULT = '[[PromiseResult]]';

/** Returns a member of a promise; the result is shown with its own members. */
async function withResult(
  inspector: Inspector,
  session: SessionState,
  place: Place,
  member: unknown,
  signal: AbortSignal,
): Promise<unknown> {
  const [result] = variablesOf([member]);
  if (result?.name !== RESULT || result.value === 'Promise') return member;
  const value = await textWithMembers(inspector, session, place, result, signal);
  return { name: RESULT, value, variablesReference: result.reference };
}

/** Matches the text with which js-debug shows a returned object. */
const IS_BARE = /^[\p{L}_$][\p{L}\p{N}_$]*(?:\(\d+\))?$/u;
const MAX_MEMBERS = 100;

function withMembers(value: string, members: readonly unknown[]): string {
  const isArray = /^Array\(/.test(value);
  const { fields, omitted } = fieldsAmong(members);
  // The fields without the symbols that Node's internals put on promises and streams.
  const own = fields.filter(
    ([name]) => !name.startsWith('Symbol(') && !(isArray && name === 'length'),
  );
  const shown = own.map(([name, text]) => (isArray ? text : `${name}: ${text}`));
  const all = [...shown, ...(omitted > 0 ? ['…'] : [])].join(', ');
  return isArray ? `[${all}]` : `${value === 'Object' ? '' : `${value} `}{${all}}`;
}

/**
 * Whether a thread is still in the same call: in the same function with the same callers. The callers do not move while
 * the call runs.
 */
export function isSameCall(before: ThreadStack, now: ThreadStack): boolean {
  return (
    isSameFunction(before, now) &&
    (before.total === undefined || now.total === undefined || before.total === now.total) &&
    sameCallers(before.callers, now.callers)
  );
}

/**
 * Whether a thread is at the beginning of another call of a function. Built-in code such as `forEach` calls a function
 * repeatedly, with the same callers. The check works only in JavaScript, because each place has a column there, and a
 * call passes it only once. In other languages, a statement over several lines returns to its first line.
 */
export function hasBegunAgain(
  called: TracedFunction,
  entry: ThreadStack,
  now: ThreadStack,
): boolean {
  return isSameCall(entry, now) && isAtEntry(called, entry, now);
}

/** Whether a thread is at the place at which a call began, if a call passes that place only once. */
export function isAtEntry(
  { entryRepeats }: TracedFunction,
  entry: ThreadStack,
  now: ThreadStack,
): boolean {
  if (adapterOf(entry.session.type).recorder !== 'javascript' || entryRepeats !== false)
    return false;
  return now.top.line === entry.top.line && now.top.column === entry.top.column;
}

export function isSameFunction(one: ThreadStack, other: ThreadStack): boolean {
  return isSameFrame(one.top, other.top);
}

/**
 * Whether two frames are of the same function. js-debug adds the class of `this` to the name of a function. In a
 * constructor, `this` is known only after the call of `super`: `B` is then `B.constructor`, or `C.B` in a `new C()`.
 */
export function isSameFrame(one: Frame, other: Frame): boolean {
  if (one.path !== other.path) return false;
  return one.name === other.name || isBare(one, other) || isBare(other, one);
}

function isBare({ name }: Frame, full: Frame): boolean {
  if (full.name === `${name}.constructor`) return true;
  // Other functions have the same name as a method of a class: `load` and `Cache.load`.
  return IS_CLASS.test(name) && full.name.endsWith(`.${name}`);
}

/** Matches the name of a class, by convention. */
const IS_CLASS = /^\p{Lu}/u;

/** Whether a thread has left the function that made a call. A function that this one has called may be running. */
export function hasLeftCaller(caller: Frame | undefined, { top, callers }: ThreadStack): boolean {
  return caller !== undefined && ![top, ...callers].some((frame) => isSameFrame(frame, caller));
}

/** Whether `now` is in another function, which the function of a call has called. Other callers may have resumed it. */
export function isCalledBy(call: ThreadStack, { top, callers }: ThreadStack): boolean {
  return !isSameFrame(call.top, top) && callers.some((caller) => isSameFrame(caller, call.top));
}

/** Whether `now` is in a function that the call called directly or indirectly. */
export function isWithin(call: ThreadStack, now: ThreadStack): boolean {
  if (call.total !== undefined && now.total !== undefined && now.total <= call.total) return false;
  // A recursive function may have called itself in between.
  return now.callers.some(
    (caller, at) =>
      isSameFrame(caller, call.top) && sameCallers(call.callers, now.callers.slice(at + 1)),
  );
}

/** Compares the frames that were read for both. For a deep stack, only the nearest frames were read. */
function sameCallers(one: readonly Frame[], other: readonly Frame[]): boolean {
  const read = Math.min(one.length, other.length);
  return one.slice(0, read).every((frame, index) => {
    const same = other[index];
    return same?.name === frame.name && same.path === frame.path && same.line === frame.line;
  });
}
