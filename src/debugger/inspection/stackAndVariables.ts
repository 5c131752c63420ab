import {
  countOf,
  fields,
  flagOf,
  isFields,
  listOf,
  numberOf,
  textOf,
  type Fields,
} from '../protocol';
import { personPath } from '../sourcePath';
import { keptText, keptValue, MAX_OF_A_NAME, mostOfListedText, wholeText } from '../texts';

/** A validated stack frame. DAP "StackFrame". */
export interface Frame {
  readonly id: number;
  readonly name: string;
  /** The path of the file on the person's disk; undefined for code without a file. */
  readonly path: string | undefined;
  readonly sourceName: string | undefined;
  readonly line: number;
  readonly column: number;
  /** Whether the adapter marks the frame as not the person's own code (`subtle`), or as not code at all (`isLabel`). */
  readonly subtle: boolean;
  readonly isLabel: boolean;
  readonly instructionPointerReference: string | undefined;
}

export interface Scope {
  readonly name: string;
  readonly hint: string | undefined;
  readonly reference: number;
  readonly expensive: boolean;
  readonly namedVariables: number | undefined;
  readonly indexedVariables: number | undefined;
}

export interface Variable {
  readonly name: string;
  readonly value: string;
  readonly type: string | undefined;
  readonly reference: number;
  readonly evaluateName: string | undefined;
  readonly memoryReference: string | undefined;
  readonly namedVariables: number | undefined;
  readonly indexedVariables: number | undefined;
  /** Whether the value is computed only when its container is read. DAP `presentationHint.lazy`. */
  readonly lazy: boolean;
}

/**
 * The maximum length of a path. It is longer than any file system allows. Paths are not cut, because a cut path would
 * name another file.
 */
const MAX_OF_A_PATH = 4096;
const MAX_OF_A_SOURCE_NAME = 200;

export function readFrames(body: Fields): Frame[] {
  return framesOf(listOf(body['stackFrames']));
}

/** Reads frames. Entries without an id are left out. */
export function framesOf(entries: readonly unknown[]): Frame[] {
  return entries.flatMap((entry) => {
    const frame = fields(entry);
    const id = numberOf(frame['id']);
    if (id === undefined) return [];
    const source = fields(frame['source']);
    const path = wholeText(source['path'], MAX_OF_A_PATH);
    const hint = textOf(frame['presentationHint']);
    return {
      id,
      name: keptValue(frame['name'], MAX_OF_A_NAME) ?? '',
      path: path === undefined || path === '' ? undefined : personPath(path),
      sourceName:
        keptText(source['name'], MAX_OF_A_SOURCE_NAME) ??
        (path === undefined
          ? keptText(source['path'] || undefined, MAX_OF_A_SOURCE_NAME)
          : undefined),
      line: countOf(frame['line']) ?? 0,
      column: countOf(frame['column']) ?? 0,
      subtle: hint === 'subtle' || hint === 'label' || source['presentationHint'] === 'deemphasize',
      isLabel: hint === 'label',
      instructionPointerReference: wholeText(frame['instructionPointerReference']),
    };
  });
}

export function readScopes(body: Fields): Scope[] {
  return listOf(body['scopes'])
    .filter(isFields)
    .map((scope) => ({
      name: keptValue(scope['name'], MAX_OF_A_NAME) ?? '',
      hint: textOf(scope['presentationHint']),
      reference: countOf(scope['variablesReference']) ?? 0,
      expensive: flagOf(scope['expensive']) ?? false,
      namedVariables: countOf(scope['namedVariables']),
      indexedVariables: countOf(scope['indexedVariables']),
    }));
}

export function readVariables(body: Fields): Variable[] {
  return variablesOf(listOf(body['variables']));
}

/** Reads variables. Entries that are not objects are left out. */
export function variablesOf(entries: readonly unknown[]): Variable[] {
  const most = mostOfListedText(entries.length);
  return entries.filter(isFields).map((variable) => ({
    name: nameOfEntry(variable),
    value: keptValue(variable['value'], most) ?? '',
    type: keptText(variable['type']),
    reference: countOf(variable['variablesReference']) ?? 0,
    evaluateName: wholeText(variable['evaluateName']),
    memoryReference: wholeText(variable['memoryReference']),
    namedVariables: countOf(variable['namedVariables']),
    indexedVariables: countOf(variable['indexedVariables']),
    lazy: fields(variable['presentationHint'])['lazy'] === true,
  }));
}

/** The name of an unparsed variable. */
export function nameOfEntry(entry: unknown): string {
  return keptValue(fields(entry)['name'], MAX_OF_A_NAME) ?? '';
}

/** The innermost frame that is not a label. */
export function topFrame(frames: readonly Frame[]): Frame | undefined {
  return frames.find((frame) => !frame.isLabel);
}

const OWN_HINTS: ReadonlySet<string> = new Set(['locals', 'arguments', 'returnValue']);
/** The names of scopes that surround a function. js-debug gives closures the hint `arguments`. */
const OUTER_NAMES = /^(closure|script|module|global|globals)\b/i;
/**
 * The name of js-debug's scope for the function. The scopes after it surround the function, so a block among them is an
 * outer block.
 */
const LOCAL = /^local\b/i;
const BLOCK = /^((catch|with) )?block\b/i;
const OWN_NAMES = /^(block|catch|with|eval|local|locals|arguments?|parameters?)\b/i;

/**
 * The maximum number of a function's own scopes that are read. An adapter may send any number, and each scope needs a
 * request.
 */
export const MAX_OWN_SCOPES = 16;

/**
 * A function's own scopes, innermost first. In JavaScript, each block with `let` or `const` is a separate scope before
 * `Local`. Expensive scopes are never included. If no scope is recognized by its hint or name (the top level of a
 * module), the first scope that is not expensive is used.
 */
export function ownScopes(scopes: readonly Scope[]): readonly Scope[] {
  const cheap = scopes.filter((scope) => !scope.expensive && scope.reference > 0);
  const local = cheap.findIndex((scope) => LOCAL.test(scope.name));
  const own = cheap.filter(
    (scope, index) =>
      !(local >= 0 && index > local && BLOCK.test(scope.name)) &&
      !OUTER_NAMES.test(scope.name) &&
      (OWN_HINTS.has(scope.hint ?? '') || (scope.hint === undefined && OWN_NAMES.test(scope.name))),
  );
  if (own.length > 0) return own;
  return cheap
    .slice(0, 1)
    .filter((scope) => scope.hint !== 'registers' && scope.hint !== 'globals');
}

/**
 * The expensive scopes that contain a file's own variables outside functions, such as js-debug's `Module` of an ES
 * module.
 */
export function expensiveScopes(scopes: readonly Scope[]): readonly string[] {
  return scopes
    .filter(
      (scope) =>
        scope.expensive &&
        scope.hint !== 'registers' &&
        scope.hint !== 'globals' &&
        !/^globals?\b/i.test(scope.name),
    )
    .map(({ name }) => name);
}
