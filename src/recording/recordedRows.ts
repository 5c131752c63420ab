import { createHash } from 'node:crypto';
import { isCompleteText } from '../debugger/inspection/completeText';
import { countOf, fields, isFields, listOf, textOf } from '../debugger/protocol';

/**
 * A value as text, the error that was raised when it was read, or undefined for a name that does not exist at that
 * location.
 */
export type RecordedValue = string | { readonly error: string } | undefined;

/** One hit of a point, as the program's recorder wrote it. */
export interface RecordedHit {
  /** The id of its point. */
  readonly point: number;
  readonly pid: number;
  /** The number of the row in its process or worker: 1, 2, 3 … */
  readonly seq: number;
  /** The name of the thread. */
  readonly thread: string;
  /** The number of frames in its stack, if activations are recorded. */
  readonly depth: number | undefined;
  /** A number for each call of the function, if the language can distinguish calls. */
  readonly activation: number | undefined;
  /** `name (file:line)` of the calling function, if callers are recorded. */
  readonly caller: string | undefined;
  /** Whether the recorder made the program stop here. */
  readonly stopped: boolean;
  /** The values in the order of the point's expressions; empty for a point that records locals. */
  readonly values: readonly RecordedValue[];
  /**
   * The locals that differ from the previous hit of the same activation. The value is undefined if the local no longer
   * exists.
   */
  readonly locals: Readonly<Record<string, string | undefined>> | undefined;
  /** Whether the point's claim was true, or the error that it raised. */
  readonly claim: boolean | string | undefined;
  /** The frames of the first hit that refuted the claim: `name (file:line)`, innermost first. */
  readonly stack: readonly string[] | undefined;
  /** The digests of whole values, of those whose texts show a part. They are in the order of `values`. */
  readonly wholes?: readonly (string | undefined)[] | undefined;
  /** The comparison of whole values with those of the hit before, if the recorder makes one. */
  readonly parts?: ComparedParts | undefined;
  /** The place of the first hit of a point, as the program knows it, if callers are recorded (JavaScript only). */
  readonly at?: { readonly file: string; readonly line: number } | undefined;
}

/** A part of a variable that has changed while the text of the variable shows no change. */
export interface ChangedPart {
  /** The variable and the part: `readings[80]`. */
  readonly name: string;
  /** Undefined if nothing is known of the part any more. */
  readonly now: string | undefined;
  readonly before: string | undefined;
}

/** What a recorder has found out about variables whose texts show only a part. */
export interface ComparedParts {
  readonly changes: readonly ChangedPart[];
  /** The names of the variables whose whole contents were compared with those at the line before. */
  readonly compared: readonly string[];
}

/** A call that the chosen call made, the end of one, or an exception, as the program's recorder wrote it. */
export type RecordedCall =
  | {
      readonly kind: 'called';
      readonly seq: number;
      readonly name: string;
      readonly args: readonly (readonly [name: string, value: string])[];
      /** Whether the function is not the person's own. Its arguments are not reported then. */
      readonly isLibrary?: boolean | undefined;
      /** Whether each end of the function is reported. Default: it is. */
      readonly hasEnds?: boolean | undefined;
    }
  /** The newest call throws an exception, which it may catch itself. */
  | { readonly kind: 'throws'; readonly seq: number; readonly source: string }
  | {
      readonly kind: 'ended';
      readonly seq: number;
      /** Whether the chosen call itself ended. */
      readonly isChosen: boolean;
      readonly hasReturned: boolean;
      /** The value that the call returned, or the exception that left it. */
      readonly value: string | undefined;
      /** The line at which the call threw the exception, or called the function that threw it. */
      readonly thrownAt?: number | undefined;
      /** Whether the program has stopped at the end of the call so that the debugger shows the value. */
      readonly isShown?: boolean;
    }
  /** An exception that was raised in the chosen call or passed through it. The row follows before it is handled. */
  | { readonly kind: 'thrown'; readonly seq: number; readonly line: number; readonly text: string };

export type RecordedRow =
  | { readonly kind: 'call'; readonly seq: number; readonly call: RecordedCall }
  | { readonly kind: 'began'; readonly pid: number }
  | { readonly kind: 'hit'; readonly seq: number; readonly hit: Omit<RecordedHit, 'pid'> }
  /** A condition was false. The row is written after 1, 2, 4, 8 … times. */
  | {
      readonly kind: 'passed';
      readonly seq: number;
      readonly point: number;
      readonly times: number;
    }
  /** A point was reached for the first time. The row is written before any evaluation there. */
  | { readonly kind: 'reached'; readonly seq: number; readonly point: number }
  /** A condition raised an error for the first time. */
  | {
      readonly kind: 'failed';
      readonly seq: number;
      readonly point: number;
      readonly error: string;
    }
  /** The locals of the chosen call that its last line changed. */
  | {
      readonly kind: 'last';
      readonly seq: number;
      readonly locals: RecordedHit['locals'];
      readonly parts: RecordedHit['parts'];
    }
  /** The recorder of a call has stopped the program, and records nothing more. */
  | {
      readonly kind: 'arrived';
      readonly seq: number;
      readonly place: string;
      readonly threadId: number | undefined;
    }
  /** The recorder itself has failed. */
  | { readonly kind: 'fault'; readonly seq: number; readonly error: string }
  /** The process has reached its limit. */
  | { readonly kind: 'full'; readonly seq: number }
  /** Calls of other functions are not reported any more, because there were too many. */
  | { readonly kind: 'fullOfCalls'; readonly seq: number };

/** Reads one line of a recorder's file; undefined for a line that no recorder wrote. */
export function readRow(line: string): RecordedRow | undefined {
  const row = parsed(line);
  const [first, kind] = row;
  if (first === 'b') return { kind: 'began', pid: countOf(kind) ?? 0 };
  const seq = countOf(first);
  if (seq === undefined) return undefined;
  if (kind === 'l') return { kind: 'full', seq };
  if (kind === 'o') return { kind: 'fullOfCalls', seq };
  if (kind === 'd')
    return { kind: 'arrived', seq, place: textOf(row[2]) ?? '', threadId: countOf(row[3]) };
  if (kind === 'f') return { kind: 'fault', seq, error: textOf(row[2]) ?? '' };
  if (kind === 'v') return { kind: 'last', seq, locals: localsIn(row[2]), parts: partsIn(row[3]) };
  if (kind === 'c' || kind === 'r' || kind === 'x' || kind === 't')
    return { kind: 'call', seq, call: callIn(row, seq) };
  if (kind === 'p' || kind === 'e' || kind === 's') {
    const point = countOf(row[2]);
    if (point === undefined) return undefined;
    if (kind === 's') return { kind: 'reached', seq, point };
    return kind === 'p'
      ? { kind: 'passed', seq, point, times: countOf(row[3]) ?? 1 }
      : { kind: 'failed', seq, point, error: textOf(row[3]) ?? '' };
  }
  const point = countOf(kind);
  return point === undefined ? undefined : { kind: 'hit', seq, hit: hitIn(row, seq, point) };
}

function callIn(row: readonly unknown[], seq: number): RecordedCall {
  if (row[1] === 'r')
    return {
      kind: 'ended',
      seq,
      isChosen: row[2] === true,
      hasReturned: row[3] === true,
      value: textOf(row[4]),
      thrownAt: countOf(row[5]),
      ...(row[6] === true && { isShown: true }),
    };
  if (row[1] === 'x')
    return { kind: 'thrown', seq, line: countOf(row[2]) ?? 0, text: textOf(row[3]) ?? '' };
  if (row[1] === 't') return { kind: 'throws', seq, source: textOf(row[2]) ?? '' };
  const args = listOf(row[3]).map((pair) => {
    const [name, value] = listOf(pair);
    return [textOf(name) ?? '', textOf(value) ?? ''] as const;
  });
  return {
    ...{ kind: 'called', seq, name: textOf(row[2]) ?? '', args, hasEnds: row[4] !== false },
    ...(row[3] === null && { isLibrary: true }),
  };
}

function hitIn(row: readonly unknown[], seq: number, point: number): Omit<RecordedHit, 'pid'> {
  const [thread, depth, activation, caller, stopped, values, claim, stack, at, wholes, parts] =
    row.slice(2);
  return {
    point,
    seq,
    thread: textOf(thread) ?? '',
    depth: countOf(depth),
    activation: countOf(activation),
    caller: textOf(caller),
    stopped: stopped === true,
    values: listOf(values).map(valueIn),
    locals: isFields(values) ? localsIn(values) : undefined,
    claim: typeof claim === 'boolean' ? claim : textOf(claim),
    stack: Array.isArray(stack) ? stack.flatMap((frame) => textOf(frame) ?? []) : undefined,
    ...placeIn(at),
    ...(Array.isArray(wholes) && { wholes: listOf(wholes).map(digestOf) }),
    ...(Array.isArray(parts) && { parts: partsIn(parts) }),
  };
}

/** Undefined for a text that does not show the whole value either. */
function digestOf(whole: unknown): string | undefined {
  const text = textOf(whole);
  if (text === undefined || !isCompleteText(text)) return undefined;
  return createHash('sha256').update(text).digest('base64');
}

function partsIn(row: unknown): ComparedParts | undefined {
  if (!Array.isArray(row)) return undefined;
  const [changes, compared] = listOf(row);
  return {
    changes: listOf(changes).map((change) => {
      const [name, now, before] = listOf(change).map(textOf);
      return { name: name ?? '', now, before };
    }),
    compared: listOf(compared).flatMap((name) => textOf(name) ?? []),
  };
}

function placeIn(place: unknown): Pick<RecordedHit, 'at'> {
  const [file, line] = [textOf(listOf(place)[0]), countOf(listOf(place)[1])];
  return file === undefined || line === undefined ? {} : { at: { file, line } };
}

function valueIn(value: unknown): RecordedValue {
  return Array.isArray(value) ? { error: textOf(value[0]) ?? '' } : textOf(value);
}

function localsIn(value: unknown): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(
    Object.entries(fields(value)).map(([name, text]) => [name, textOf(text)]),
  );
}

function parsed(line: string): readonly unknown[] {
  try {
    return listOf(JSON.parse(line));
  } catch {
    return [];
  }
}
