import type { CallEnds } from '../debugger/adapters/calls';
import { fields, listOf, numberOf, textOf, type Fields } from '../debugger/protocol';
import { samePath } from '../debugger/sourcePath';

/** Sends a request to the adapter of the program. */
export type Request = (command: string, args: object) => Promise<Fields>;

/** The lines of a function in its file. */
export interface FunctionLines {
  readonly path: string;
  /** Its first and its last line. */
  readonly start: number;
  readonly end: number;
}

/** The maximum number of instructions of a function that are requested, and the number per line. */
const MAX_INSTRUCTIONS = 4000;
const PER_LINE = 60;

/**
 * Requests the instructions of a function from an address on (DAP `disassemble`).
 * @throws DebuggerError if the adapter refuses it @throws Interrupted
 */
export async function instructionsOf(
  request: Request,
  memoryReference: string,
  { path, start, end }: FunctionLines,
): Promise<readonly Fields[]> {
  const instructionCount = Math.min(MAX_INSTRUCTIONS, (end - start + 2) * PER_LINE);
  const args = { memoryReference, instructionOffset: 0, instructionCount };
  const body = await request('disassemble', args);
  const instructions = listOf(body['instructions']).map(fields);
  // Only the first instruction of a line has the line.
  const next = instructions.findIndex(({ line, location }) => {
    const [at, file] = [numberOf(line), textOf(fields(location)['path'])];
    if (at === undefined) return false;
    return at < start || at > end || (file !== undefined && !samePath(file, path));
  });
  return next < 0 ? instructions : instructions.slice(0, next);
}

/**
 * Reads the results of a function at one of its return instructions.
 * @param names the names of the results. Results without names have none
 * @returns undefined if one of them cannot be read
 * @throws DebuggerError if the adapter refuses a request @throws Interrupted
 */
export async function resultsIn(
  request: Request,
  frameId: number,
  ends: CallEnds,
  names: readonly string[],
): Promise<string | undefined> {
  const { scopes } = await request('scopes', { frameId });
  const { variablesReference } = fields(listOf(scopes)[0]);
  const body = await request('variables', { variablesReference });
  return valueAmong(listOf(body['variables']).map(fields), ends, names);
}

/** Returns the results. Delve shows a variable that an inner one hides in parentheses. */
function valueAmong(
  variables: readonly Fields[],
  ends: CallEnds,
  names: readonly string[],
): string | undefined {
  const shown = variables.map(({ name, value }) => [textOf(name) ?? '', textOf(value)] as const);
  const named = names.map(
    (name) =>
      shown.find(([other]) => other === `(${name})`) ?? shown.find(([other]) => other === name),
  );
  const found = names.length > 0 ? named : shown.filter(([name]) => ends.isResult(name));
  const values = found.map((variable) => variable?.[1]);
  const isUnknown = values.some((value) => value === undefined || /^\(unreadable\b/.test(value));
  return values.length === 0 || isUnknown ? undefined : values.join(', ');
}
