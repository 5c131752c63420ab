import { countOf, fields, listOf, textOf, type Fields } from '../debugger/protocol';

/** A place in a file. Lines are 1-based. */
export interface Place {
  readonly file: string;
  readonly line: number;
}

/** A value that differs from the one at the previous stop. */
export interface ChangedValue {
  readonly name: string;
  readonly before: string | undefined;
  readonly now: string;
}

/** The parts of a call's result that are shown to the person. */
export interface CallFacts {
  readonly place: Place | undefined;
  readonly functionName: string | undefined;
  readonly session: string | undefined;
  /** The reason why the program stopped, or the exception that stopped it. */
  readonly reason: string | undefined;
  readonly changes: readonly ChangedValue[];
  readonly output: readonly string[];
  /** The outcome of a test or of a claim: `failed`, `refuted`. */
  readonly outcome: string | undefined;
  /** The value of an expression, or the return value of a call. */
  readonly value: string | undefined;
  readonly exitCode: number | undefined;
  readonly code: string | undefined;
  readonly message: string | undefined;
}

const MAX_CHANGES = 20;
const MAX_LINES = 20;
const MAX_OF_A_TEXT = 500;
const MAX_OF_A_SUBJECT = 200;

/** Reads the facts from any tool's result. The fields have the same names in all results. */
export function factsOf(input: unknown, result: Fields): CallFacts {
  const stop = fields(result['stop_event_data']);
  const [frame] = listOf(stop['call_stack']).map(fields);
  const exception = fields(stop['exception']);
  const thrown = joined(exception['type'], exception['message']) ?? short(result['threw']);
  return {
    place: placeOf(result, stop, fields(input)),
    functionName: short(frame?.['function_name']),
    session: short(stop['session_id']) ?? short(result['session_id']),
    reason: thrown ?? short(stop['reason']),
    changes: changesOf(result, stop),
    output: linesOf([...listOf(stop['output']), ...listOf(result['output'])]),
    outcome: short(result['outcome']) ?? claimOf(result),
    value: short(result['result']) ?? short(result['value']) ?? short(result['returned']),
    exitCode: countOf(result['exit_code']),
    code: short(result['code']),
    message: short(result['message']),
  };
}

/** The expression or variable whose value is the result of a call. Redaction recognizes credentials by this name. */
export function subjectOf(input: unknown): string | undefined {
  const { expression, name } = fields(input);
  return (textOf(expression) ?? textOf(name))?.slice(0, MAX_OF_A_SUBJECT);
}

/** The current line of a stop, otherwise the breakpoint's line, otherwise the line in the call's input. */
function placeOf(result: Fields, stop: Fields, input: Fields): Place | undefined {
  const breakpoint = fields(result['breakpoint']);
  const [frame] = listOf(result['call_stack']).map(fields);
  const at = fields(result['at']);
  return (
    place(fields(stop['source'])['path'], stop['line']) ??
    place(fields(breakpoint['source'])['path'], breakpoint['line']) ??
    place(frame?.['file_path'], frame?.['line_number']) ??
    place(at['file_path'] ?? at['path'], at['line_number'] ?? at['line']) ??
    place(input['file_path'], input['line_number'] ?? input['until_line'] ?? input['line'])
  );
}

function place(file: unknown, line: unknown): Place | undefined {
  const [path, number] = [textOf(file), countOf(line)];
  return path === undefined || path === '' || number === undefined || number < 1
    ? undefined
    : { file: path, line: number };
}

/** The outcome of the claims in a collection of values. A refuted claim takes precedence over all others. */
function claimOf(result: Fields): string | undefined {
  const claims = listOf(result['probes']).flatMap((probe) => short(fields(probe)['expect']) ?? []);
  return ['refuted', 'not_evaluated', 'never_reached', 'unknown', 'not_refuted', 'confirmed'].find(
    (claim) => claims.includes(claim),
  );
}

function changesOf(result: Fields, stop: Fields): readonly ChangedValue[] {
  const onTheWay = listOf(result['path'])
    .map(fields)
    .flatMap((step) => Object.entries(fields(step['changed'])))
    .map(([name, now]) => ({ name, before: undefined, now: short(now) ?? '' }));
  const last = listOf(stop['changed'])
    .map(fields)
    .map((change) => ({
      name: short(change['name']) ?? '',
      before: short(change['before']),
      now: short(change['now']) ?? '',
    }));
  return [...onTheWay, ...last].slice(-MAX_CHANGES);
}

function linesOf(lines: readonly unknown[]): readonly string[] {
  return lines.map((line) => short(line) ?? '').slice(-MAX_LINES);
}

function joined(...texts: readonly unknown[]): string | undefined {
  const found = texts.flatMap((text) => short(text) ?? []);
  return found.length === 0 ? undefined : found.join(': ');
}

function short(value: unknown): string | undefined {
  const text = textOf(value);
  if (text === undefined || text.length <= MAX_OF_A_TEXT) return text;
  return `${text.slice(0, MAX_OF_A_TEXT)}…`;
}
