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
import { keptText, keptValue, MOST_OF_A_NAME, mostOfEach, wholeText } from '../texts';

/** A stack frame as an adapter sent it, checked. DAP "StackFrame". */
export interface Frame {
  readonly id: number;
  readonly name: string;
  /** The file on the person's disk; undefined for code without one. */
  readonly path: string | undefined;
  readonly sourceName: string | undefined;
  readonly line: number;
  readonly column: number;
  /** Not the person's own code, or no code at all, as far as the adapter says. */
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
  /** Its value is computed only when its container is asked for. DAP `presentationHint.lazy`. */
  readonly lazy: boolean;
}

/** Longer than any file system allows: a cut path would name another file. */
const MOST_OF_A_PATH = 4096;
const MOST_OF_A_SOURCE_NAME = 200;

export function readFrames(body: Fields): Frame[] {
  return framesOf(listOf(body['stackFrames']));
}

/** What has no id is no frame. */
export function framesOf(entries: readonly unknown[]): Frame[] {
  return entries.flatMap((entry) => {
    const frame = fields(entry);
    const id = numberOf(frame['id']);
    if (id === undefined) return [];
    const source = fields(frame['source']);
    const path = wholeText(source['path'], MOST_OF_A_PATH);
    const hint = textOf(frame['presentationHint']);
    return {
      id,
      name: keptValue(frame['name'], MOST_OF_A_NAME) ?? '',
      path: path === undefined || path === '' ? undefined : personPath(path),
      sourceName:
        keptText(source['name'], MOST_OF_A_SOURCE_NAME) ??
        (path === undefined
          ? keptText(source['path'] || undefined, MOST_OF_A_SOURCE_NAME)
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
      name: keptValue(scope['name'], MOST_OF_A_NAME) ?? '',
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

/** What is no object is no variable. */
export function variablesOf(entries: readonly unknown[]): Variable[] {
  const most = mostOfEach(entries.length);
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

/** The name of a variable that has not been read. */
export function nameOfEntry(entry: unknown): string {
  return keptValue(fields(entry)['name'], MOST_OF_A_NAME) ?? '';
}

/** The frame that the program is in: the innermost one that is no mere label. */
export function topFrame(frames: readonly Frame[]): Frame | undefined {
  return frames.find((frame) => !frame.isLabel);
}

const OWN_HINTS: ReadonlySet<string> = new Set(['locals', 'arguments', 'returnValue']);
/** What surrounds a function; js-debug calls closures `arguments`. */
const OUTER_NAMES = /^(closure|script|module|global|globals)\b/i;
/** js-debug's: what comes after it surrounds the function, so that a block there is an outer one's. */
const LOCAL = /^local\b/i;
const BLOCK = /^((catch|with) )?block\b/i;
const OWN_NAMES = /^(block|catch|with|eval|local|locals|arguments?|parameters?)\b/i;

/** An adapter may send any number of scopes, and each is a request: so many of a function's own are read. */
export const MOST_OWN_SCOPES = 16;

/**
 * The scopes that are the function's own, innermost first: in JavaScript each block with `let` or `const` is a scope
 * of its own before `Local`. Never an expensive one. Where none can be told by hint or name (the top level of a
 * module), the first one that is cheap.
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

/** What a file's own variables are in outside of functions, where reading it costs much: js-debug's `Module` of an ES module. */
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
